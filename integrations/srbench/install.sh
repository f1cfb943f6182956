#!/usr/bin/env bash
# Installs Intron into the environment that is active. INTRON_SOURCE names what to install instead of the published
# package: a wheel, or the folder `python` of a checkout.
set -euo pipefail
python -m pip install "${INTRON_SOURCE:-intron}"
