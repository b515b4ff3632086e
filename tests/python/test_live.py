"""On the real clock: what Python sees and does while it runs."""
import time

import numpy as np
import palp
import pytest


def test_readings_friction_and_callback_while_it_runs(two_rates):
    moments = []
    with palp.live(two_rates, seconds=20, each=moments.append) as live:
        while len(moments) < 5 and live.running:
            time.sleep(0.01)
        now = live.read()
        live.set_friction("tool", "block", 0.1)
        with pytest.raises(palp.Error):
            live.set_friction("tool", "moon", 0.1)
        with pytest.raises(palp.Error):
            live.set_friction("tool", "block", -1)
    assert not live.running
    assert now.skins["block"].shape[1] == 3 and np.isfinite(now.skins["tool"]).all()
    assert {"position", "normal", "force"} <= set(now.contacts) and now.certificate >= 0
    assert set(now.hands["hand"]) == {"position", "force", "torque"}
    times = [m.time_s for m in moments]
    assert times == sorted(times) and len(set(times)) == len(times) >= 5
    report = live.stop()
    assert report["ticks"] > 0 and report["low_steps"] >= 5


def test_a_device_in_python_pushes_and_feels(two_rates):
    class Presser(palp.Device):
        strongest = asked = 0

        def read(self, time_s):
            self.asked += 1
            return [0.003, 0.002, 0.027 - 0.006 * min(time_s / 0.2, 1)]

        def write(self, force, torque, h_s):
            self.strongest = max(self.strongest, force[2])

    presser = Presser()
    with palp.live(two_rates, seconds=30, devices={"hand": presser}) as live:
        while presser.strongest < 0.5 and live.running:
            time.sleep(0.01)
    assert presser.strongest >= 0.5 and presser.asked > 10


def test_what_python_raises_is_raised_by_stop(two_rates):
    def each(moment):
        raise ZeroDivisionError("callback")

    live = palp.live(two_rates, seconds=0.5, each=each)
    live.wait()
    with pytest.raises(ZeroDivisionError, match="callback"):
        live.stop()

    def hand(time_s):
        if time_s > 0:
            raise ZeroDivisionError("device")
        return [0.003, 0.002, 0.027]

    live = palp.live(two_rates, seconds=0.5, devices={"hand": hand})
    assert live.wait()
    with pytest.raises(ZeroDivisionError, match="device"):
        live.stop()


def test_one_rate_keeps_to_the_clock_too(poke):
    live = palp.live(poke, seconds=0.2)
    live.wait()
    assert live.stop()["ticks"] > 0
    with pytest.raises(KeyError, match="it has hand"):
        palp.live(poke, devices={"foot": lambda t: [0, 0, 0]})


def test_a_recording_of_a_live_run(two_rates, tmp_path):
    live = palp.live(two_rates, seconds=0.3, record=tmp_path / "live.h5")
    live.wait()
    report = live.stop()
    assert len(palp.Recording(tmp_path / "live.h5")) == report["ticks"] > 0


def test_the_page_opens_and_python_goes_on(poke):
    import urllib.request
    with palp.view(palp.load(poke, {"contact.mu": 0.1}), browser=False) as page:
        assert b"<html" in urllib.request.urlopen(page.address, timeout=30).read().lower()
