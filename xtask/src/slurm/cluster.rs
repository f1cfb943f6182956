//! A Slurm cluster on the loopback interface, in a folder of its own: munge, one controller, three nodes. It ends with its value.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::processes::{self, Process, kill, with_environment};

/// What must be on the machine.
const PROGRAMS: [&str; 5] = ["munged", "slurmctld", "slurmd", "sbatch", "scontrol"];

/// The nodes.
pub(crate) const NODES: [&str; 3] = ["w1", "w2", "w3"];

/// The first program that is not on the machine.
pub(crate) fn missing_program() -> Option<&'static str> {
    PROGRAMS.into_iter().find(|program| path_of(program).is_none())
}

/// Where a program is; daemons are often outside of a user's search path.
fn path_of(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders =
        std::env::split_paths(&path).chain(["/usr/sbin".into(), "/usr/local/sbin".into()]);
    folders.map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// A running cluster.
pub(crate) struct Cluster {
    folder: PathBuf,
    munge: Child,
    controller: Child,
    nodes: Vec<Child>,
}

impl Cluster {
    /// Starts a cluster in a folder that is not there yet, and waits until its nodes are idle.
    pub(crate) fn start(
        folder: &Path,
        first_port: u16,
        more_configuration: &str,
    ) -> Result<Cluster, String> {
        let refuse = |error: std::io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(folder.join("state")).map_err(refuse)?;
        write_key(&folder.join("munge.key")).map_err(refuse)?;
        let configuration = configuration(folder, first_port)? + more_configuration;
        fs::write(folder.join("slurm.conf"), configuration).map_err(refuse)?;
        let munge = start_munge(folder)?;
        let controller = start(folder, "slurmctld", &[])?;
        let nodes = NODES.into_iter().map(|node| start(folder, "slurmd", &["-N", node]));
        let nodes = nodes.collect::<Result<Vec<Child>, String>>()?;
        let cluster = Cluster { folder: folder.to_owned(), munge, controller, nodes };
        for _ in 0..150 {
            let idle = cluster.ask("sinfo", &["--noheader", "--states=idle", "--format=%D"]);
            if idle.is_ok_and(|text| text.trim() == NODES.len().to_string()) {
                return Ok(cluster);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Err(format!("the nodes do not become idle; slurmctld says:\n{}", cluster.log()))
    }

    /// Calls a program of Slurm, or one that calls such programs.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.folder.join("slurm.conf")).stdin(Stdio::null());
        command
    }

    /// What a program of Slurm answers.
    pub(crate) fn ask(&self, program: &str, arguments: &[&str]) -> Result<String, String> {
        let output = self.command(program).args(arguments).output();
        let output = output.map_err(|error| format!("{program}: {error}"))?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Processes of jobs, on one node or on all.
    pub(crate) fn jobs(&self, node: Option<&str>) -> Vec<Process> {
        let own = self.entry();
        let node = node.map(|node| format!("SLURMD_NODENAME={node}"));
        let entries: Vec<&str> =
            [Some(own.as_str()), node.as_deref()].into_iter().flatten().collect();
        with_environment(&entries)
    }

    /// Ends the daemon of a node and everything that runs on it, as a power cut would.
    pub(crate) fn kill_node(&mut self, index: usize) {
        let jobs = self.jobs(Some(NODES[index]));
        kill(self.nodes[index].id());
        let _ = self.nodes[index].wait();
        // The shepherds come before their jobs, of whose end they would tell.
        self.kill_with_shepherds(&jobs);
    }

    fn kill_with_shepherds(&self, jobs: &[Process]) {
        let shepherds = jobs.iter().filter_map(|job| processes::process(job.parent));
        shepherds.filter(|parent| parent.name == "slurmstepd").for_each(|parent| kill(parent.id));
        jobs.iter().for_each(|job| kill(job.id));
    }

    /// Ends the controller at once.
    pub(crate) fn kill_controller(&mut self) {
        kill(self.controller.id());
        let _ = self.controller.wait();
    }

    /// Starts the controller again.
    pub(crate) fn restart_controller(&mut self) -> Result<(), String> {
        self.controller = start(&self.folder, "slurmctld", &[])?;
        Ok(())
    }

    /// The end of the controller's log.
    pub(crate) fn log(&self) -> String {
        let text = fs::read_to_string(self.folder.join("slurmctld.log")).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(40)..].join("\n")
    }

    /// What stands in the environment of every process of this cluster.
    fn entry(&self) -> String {
        format!("SLURM_CONF={}", self.folder.join("slurm.conf").display())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let daemons = self.nodes.iter_mut().chain([&mut self.controller, &mut self.munge]);
        daemons.for_each(|daemon| {
            kill(daemon.id());
            let _ = daemon.wait();
        });
        // Twice: a job may just have been begun.
        for _ in 0..2 {
            self.kill_with_shepherds(&self.jobs(None));
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

fn write_key(path: &Path) -> std::io::Result<()> {
    let mut key = [0; 128];
    File::open("/dev/urandom")?.read_exact(&mut key)?;
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?.write_all(&key)
}

/// Starts munge, by which users are known, and waits for its socket.
fn start_munge(folder: &Path) -> Result<Child, String> {
    let path = |name: &str| folder.join(name).display().to_string();
    let arguments = [
        "--foreground".to_owned(),
        "--force".to_owned(),
        format!("--socket={}", path("munge.sock")),
        format!("--key-file={}", path("munge.key")),
        format!("--pid-file={}", path("munged.pid")),
        format!("--log-file={}", path("munged.log")),
        format!("--seed-file={}", path("munged.seed")),
    ];
    let mut child = spawn(folder, "munged", &arguments)?;
    for _ in 0..100 {
        if folder.join("munge.sock").exists() {
            return Ok(child);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let _ = child.kill();
    let _ = child.wait();
    let said = fs::read_to_string(folder.join("munged.output")).unwrap_or_default();
    Err(format!("munged does not start:\n{said}"))
}

/// Starts a daemon of Slurm.
fn start(folder: &Path, program: &str, arguments: &[&str]) -> Result<Child, String> {
    let configuration = folder.join("slurm.conf").display().to_string();
    let first = ["-D", "-f", configuration.as_str()];
    let arguments: Vec<String> =
        first.iter().chain(arguments).map(|argument| (*argument).to_owned()).collect();
    spawn(folder, program, &arguments)
}

fn spawn(folder: &Path, program: &str, arguments: &[String]) -> Result<Child, String> {
    let refuse = |error: std::io::Error| format!("{program}: {error}");
    let output = File::create(folder.join(format!("{program}.output"))).map_err(refuse)?;
    let errors = output.try_clone().map_err(refuse)?;
    let mut command = Command::new(path_of(program).unwrap_or_else(|| program.into()));
    command.args(arguments).env("SLURM_CONF", folder.join("slurm.conf"));
    command.stdin(Stdio::null()).stdout(output).stderr(errors).spawn().map_err(refuse)
}

/// Short waits, where a cluster would have long ones: a dead node is found after 10 seconds instead of 300, and a job that was
/// given back waits for 10 seconds instead of 120 (`cred_expire`).
fn configuration(folder: &Path, first_port: u16) -> Result<String, String> {
    let host = answer("hostname", &["-s"])?;
    let user = answer("id", &["-un"])?;
    let folder = folder.display();
    let mut text = format!(
        "ClusterName=intron\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={first_port}\n\
         AuthInfo=socket={folder}/munge.sock,cred_expire=10\nSlurmUser={user}\nSlurmdUser={user}\n\
         CommunicationParameters=NoCtldInAddrAny,NoInAddrAny\nStateSaveLocation={folder}/state\n\
         SlurmdSpoolDir={folder}/spool.%n\nSlurmctldPidFile={folder}/slurmctld.pid\n\
         SlurmdPidFile={folder}/slurmd.%n.pid\nSlurmctldLogFile={folder}/slurmctld.log\n\
         SlurmdLogFile={folder}/slurmd.%n.log\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n\
         JobAcctGatherType=jobacct_gather/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
         SwitchType=switch/none\nMpiDefault=none\nMailProg=/bin/true\nReturnToService=2\nSlurmdTimeout=10\n\
         KillWait=5\n"
    );
    for (index, node) in NODES.into_iter().enumerate() {
        text += &format!(
            "NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={} CPUs=1 RealMemory=1000\n",
            usize::from(first_port) + 1 + index
        );
    }
    text += &format!("PartitionName=all Nodes={} Default=YES MaxTime=INFINITE\n", NODES.join(","));
    Ok(text)
}

fn answer(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(arguments).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
