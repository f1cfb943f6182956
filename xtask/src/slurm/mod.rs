//! A real Slurm on this machine, broken on purpose: the lab must end with every record.

mod cluster;
mod processes;
mod scenarios;

pub(crate) use scenarios::run;
