//! Figures as SVG, one file per kind. They draw what they are given and compute no statistics.
