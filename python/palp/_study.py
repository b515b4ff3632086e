"""Studies of many designs: here, on all cores, or on the workers of a Dask client."""

import os
import sys
import time
import warnings
from collections.abc import Mapping

from . import _palp
from ._errors import Error
from ._scene import yaml_of


class Table(dict):
    """The results of a study: columns by name, NumPy arrays and lists of texts. `folder` has them as files."""

    folder = ""

    def to_pandas(self):
        """The same as a DataFrame of pandas."""
        import pandas
        return pandas.DataFrame(dict(self))

    def to_parquet(self, path):
        """Writes Parquet; needs pyarrow."""
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as missing:
            raise Error("Parquet needs the Python package pyarrow", remedy="results.csv and results.h5 need nothing") from missing
        pyarrow.parquet.write_table(pyarrow.table(dict(self)), os.fspath(path))

    def map(self, x, y, column):
        """Values of x, values of y, and the column's mean over the designs that are done at each pair: (ny, nx), NaN
        where there is none. As plt.contourf(*table.map("opening", "thickness", "push")) takes it."""
        import numpy
        done = numpy.array([status == "ok" for status in self["status"]])
        xs, ys = (numpy.unique(self[name]) for name in (x, y))
        z = numpy.full((len(ys), len(xs)), numpy.nan)
        for i, b in enumerate(ys):
            for j, a in enumerate(xs):
                here = done & (self[x] == a) & (self[y] == b)
                if here.any():
                    z[i, j] = self[column][here].mean()
        return xs, ys, z

    def best(self, column, *, least=False):
        """The design with the greatest (or least) value of a column, as a dict."""
        done = [i for i, status in enumerate(self["status"]) if status == "ok"]
        if not done:
            raise Error("no design of the study is done")
        i = (min if least else max)(done, key=lambda k: self[column][k])
        return {name: values[i] for name, values in self.items()}


def load_study(source, *, folder=None):
    """Reads and checks a study: a file name, a text in YAML or a dict (docs/studies.md).

    folder: where a text or a dict looks for its scene; default: the current folder.
    """
    if isinstance(source, _palp.Study):
        return source
    if isinstance(source, Mapping):
        return _palp.Study(yaml_of(source), os.path.join(folder or "", "study"))
    if isinstance(source, str) and "\n" in source:
        return _palp.Study(source, os.path.join(folder or "", "study"))
    file = os.fspath(source)
    return _palp.Study(_palp._read_text(file), file)


_last = {}  # of a worker: the study it was given last


def _run_on_worker(text, file, row):
    """One row, on a worker of Dask: the scene's files must be where they are here."""
    if _last.get("key") != (text, file):
        _last.update(key=(text, file), study=_palp.Study(text, file))
    return row, _last["study"].run_row(row)


def _told(done, of, failed, seconds, left_s):
    end = "\n" if done == of else ""
    print(f"\r{done} of {of} runs, {failed} failed, {left_s:.0f} s left   ", end=end, file=sys.stderr, flush=True)


def sweep(study, *, out=None, jobs=0, keep_failed=False, progress=None, client=None, folder=None):
    """Runs what is missing of a study and returns its table; results.csv, results.h5 and report.html are in `out`.

    study: a file name, a text, a dict or a palp.Study; out: folder of results, default beside the study;
    jobs: runs at a time, default as many as there are cores; keep_failed: failed designs are not run again;
    progress(done, of, failed, seconds, left_s), or None for a line on a terminal;
    client: of Dask (distributed.Client): the rows are run by its workers, which find the scene at the same path.
    """
    study = load_study(study, folder=folder)
    out = os.fspath(out) if out else study.default_folder
    if progress is None and sys.stderr.isatty():
        progress = _told
    if client is None:
        study.run(out, jobs, keep_failed, progress)
    else:
        _sweep_by_client(study, out, keep_failed, progress, client)
    table = Table(study.table(out, True))
    table.folder = out
    return table


def _sweep_by_client(study, out, keep_failed, progress, client):
    from distributed import as_completed

    rows, begin = study.missing(out, keep_failed), time.monotonic()
    file = os.path.abspath(study.file)
    futures = [client.submit(_run_on_worker, study.text, file, row, pure=False) for row in rows]
    try:
        _take(as_completed(futures), study, out, progress, len(rows), begin)
    finally:  # when it is interrupted, nobody waits for the rest
        client.cancel(futures)


def _take(finished, study, out, progress, rows, begin):
    done = failed = 0
    for future in finished:
        done += 1
        try:
            row, text = future.result()
        except Exception as lost:  # its worker died: the row stays missing, and the next call runs it
            warnings.warn(f"a row was lost: {lost}", RuntimeWarning, stacklevel=3)
            failed += 1
        else:
            study.store(row, out, text)
            failed += '"ok": false' in text
        if progress:
            seconds = time.monotonic() - begin
            progress(done, rows, failed, seconds, seconds / done * (rows - done))
