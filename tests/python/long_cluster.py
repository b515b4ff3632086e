"""Studies where other programs start the tasks: a real Slurm of one node, GNU parallel, Dask. `./run-tests --cluster`
installs them; what is not there is skipped."""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

import numpy as np
import palp
import pytest

DESIGNS = 200


@pytest.fixture
def study(ball, tmp_path):
    (tmp_path / "ball.yaml").write_text(json.dumps(ball))
    file = tmp_path / "study.yaml"
    file.write_text(f"""scene: ball.yaml
seconds: 3
plan: sobol
designs: {DESIGNS}
parameters:
  height: {{key: bodies.ball.position.2, from: 0.04, to: 0.1}}
  mu: {{key: contact.mu, from: 0, to: 1}}
keep: [kinetic_J.max, certificate.max]
""")
    return file


def rows_of(study):
    """Result files and when they were written."""
    folder = study.with_suffix(".results") / "rows"
    return {f.name: f.stat().st_mtime_ns for f in folder.rglob("*.json")}


def check_energy(table):
    """Most of the energy of the fall arrives: m g (height − radius), less a step."""
    height, energy = np.asarray(table["height"]), np.asarray(table["kinetic_J.max"])
    assert np.corrcoef(height, energy)[0, 1] > 0.99


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@pytest.fixture
def slurm(tmp_path):
    """A controller and a node of our own, without authentication, for this machine alone."""
    if not shutil.which("slurmctld") or not shutil.which("slurmd") or os.getuid() != 0:
        pytest.skip("Slurm is not here, or this is not root")
    host, folder = socket.gethostname().split(".")[0], tmp_path / "slurm"
    folder.mkdir()
    for name in ("state", "spool"):
        (folder / name).mkdir()
    (folder / "cgroup.conf").write_text("CgroupAutomount=no\n")
    conf = folder / "slurm.conf"
    conf.write_text(f"""ClusterName=test
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
ReturnToService=2
MpiDefault=none
JobRequeue=0
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
    env = {**os.environ, "SLURM_CONF": str(conf)}
    daemons = [subprocess.Popen([d, "-D", "-f", str(conf)], env=env, stdout=open(folder / f"{d}.log", "w"),
                                stderr=subprocess.STDOUT) for d in ("slurmctld", "slurmd")]
    for _ in range(200):
        state = subprocess.run(["sinfo", "-h", "-o", "%t"], env=env, capture_output=True, text=True).stdout.strip()
        if state == "idle":
            break
        time.sleep(0.2)
    else:
        logs = "".join((folder / f"{d}.log").read_text()[-2000:] for d in ("slurmctld", "slurmd"))
        for d in daemons:
            d.kill()
        pytest.fail("Slurm did not start: " + logs)
    yield env
    for d in reversed(daemons):
        d.terminate()
        d.wait()


def tasks_running(study):
    """Processes of this study's tasks, by its path, which nobody else has."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0] == palp.program().encode() and b"--task" in words and str(study).encode() in words:
            yield int(folder.name)


def kill_one(study, first):
    """A task of the study, in the middle of it; what the call then says."""
    killed = []
    while first.poll() is None and not killed:
        if 20 <= len(rows_of(study)) < DESIGNS / 2:
            for pid in list(tasks_running(study))[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
        time.sleep(0.01)
    out = first.communicate()[0]
    assert killed, out
    return out


def check_complete(study, there):
    """Every row is there, and those that were there are as they were."""
    now = rows_of(study)
    assert len(now) == DESIGNS and all(now[name] == written for name, written in there.items())
    table = palp.load_study(study).table(str(study.with_suffix(".results")))
    assert table["status"] == ["ok"] * DESIGNS
    check_energy(table)
    return now


def test_slurm_a_task_is_killed_and_the_second_call_completes(slurm, study):
    command = [palp.program(), "sweep", str(study), "--slurm", "--of", "20", "--wait"]
    first = subprocess.Popen(command, env=slurm, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    out = kill_one(study, first)
    there = rows_of(study)
    assert first.returncode == 3 and DESIGNS / 2 < len(there) < DESIGNS, out
    second = subprocess.run(command, env=slurm, capture_output=True, text=True)
    assert second.returncode == 0, second.stdout + second.stderr
    assert f"{DESIGNS - len(there)} of {DESIGNS} runs" in second.stdout
    now = check_complete(study, there)
    nothing = subprocess.run(command, env=slurm, capture_output=True, text=True)
    assert nothing.returncode == 0 and rows_of(study) == now


def test_gnu_parallel_a_task_is_killed_and_the_second_call_completes(study):
    if not shutil.which("parallel"):
        pytest.skip("GNU parallel is not here")
    command = ["parallel", "--will-cite", "--jobs", "2", palp.program(), "sweep", str(study), "--jobs", "1", "--of", "20",
               "--task", "{}", ":::", *map(str, range(1, 21))]
    first = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    out = kill_one(study, first)
    there = rows_of(study)
    assert first.returncode == 1 and DESIGNS / 2 < len(there) < DESIGNS, out  # one job failed
    merged = [palp.program(), "sweep", str(study), "--merge"]
    assert subprocess.run(merged, capture_output=True).returncode == 3  # some are missing
    second = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    made = sum(int(n) for n in re.findall(r"(\d+) made now", second))
    assert made == DESIGNS - len(there)
    assert subprocess.run(merged, capture_output=True).returncode == 0
    check_complete(study, there)


def test_dask_a_worker_is_killed_and_the_second_call_completes(study):
    distributed = pytest.importorskip("distributed")

    class Enough(Exception):
        pass

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        def one_dies_then_stop(done, *_):
            if done == 20:
                os.kill(min(client.run(os.getpid).values()), signal.SIGKILL)  # Dask gives its row to another
            if done == 100:
                raise Enough

        with pytest.raises(Enough):
            palp.sweep(study, client=client, progress=one_dies_then_stop)
        there, told = rows_of(study), []
        assert len(there) == 100
        table = palp.sweep(study, client=client, progress=lambda *p: told.append(p[:2]))
    assert told == [(k, DESIGNS - 100) for k in range(1, DESIGNS - 99)] and table["status"] == ["ok"] * DESIGNS
    check_complete(study, there)
