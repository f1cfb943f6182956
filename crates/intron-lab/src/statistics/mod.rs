//! The statistics of the paper, one file each. They compute every number that a table or a figure shows.
