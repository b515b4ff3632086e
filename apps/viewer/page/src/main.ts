// The page of palp view: connects the server's messages to the view, and the visitor to the server.
import './style.css';
import * as THREE from 'three';
import { quantities } from './colours';
import { Connection, query } from './connection';
import { Controls, element, showTrouble } from './controls';
import { DelassusView } from './delassus';
import { Headset } from './headset';
import { Keys } from './keys';
import { Plots } from './plots';
import { Pointer } from './pointer';
import { decodeFrame, decodeScene, kindOf, Touch, Use, type Frame, type SceneInfo } from './protocol';
import { Player, Recorder } from './recording';
import { Series } from './series';
import { Sliders } from './sliders';
import { watchTheme } from './theme';
import { Tool } from './tool';
import { World } from './world';

const canvas = element<HTMLCanvasElement>('view');
const status = element('status');
const world = new World(canvas);
const series = new Series();
const plots = new Plots(element('plots'));
const delassus = new DelassusView();
const delassusBox = element<HTMLDetailsElement>('delassus-box');
const recorder = new Recorder();

let scene: SceneInfo | null = null;
let sceneMessage: ArrayBuffer | null = null; // kept for recordings
let newest: Frame | null = null;
let pending: Frame | null = null; // came since the last picture
let player: Player | null = null;
let served = false; // the server has a recording, no simulation
let replaying = false;
let replayTime = 0;
let frames = 0; // that came since the last status
let pictures = 0; // drawn since then
let strongest = 0.1;

function setScene(info: SceneInfo): void {
  scene = info;
  pending = null;
  world.setScene(info);
  tool.kinds = info.kinds ?? [];
  headset.setScene(info);
  series.reset(info.samples);
  plots.devices = info.devices;
  sliders.rebuild(info.sliders);
  controls.setScene(info);
  strongest = 0.1;
}

function show(frame: Frame): void {
  if (!scene || frame.generation !== scene.generation) return;
  newest = frame;
  world.show(frame, tool.holding || player !== null);
  if (delassusBox.open) delassus.show(frame.delassus);
  controls.setFrame(frame, player !== null);
  element('patch-legend').hidden = frame.patches.length === 0;
  // For tests and for scripts.
  canvas.dataset.touching = String(frame.contacts.filter((c) => c.touch !== Touch.open).length);
  canvas.dataset.patches = String(frame.patches.length);
  canvas.dataset.carriers = String(frame.patches.filter((p) => p.use === Use.carries).length);
  canvas.dataset.regions = String(frame.regions.length);
  tool.see(frame.hands);
  headset.see(frame.hands);
}

/** A frame is shown with the next picture; of several, the newest, with all that has moved. */
function arrive(frame: Frame): void {
  if (!scene || frame.generation !== scene.generation) return;
  ++frames;
  if (frame.samples) series.append(frame.samples);
  if (pending) {
    const moved = new Set(frame.bodies.map((b) => b.index));
    frame.bodies.push(...pending.bodies.filter((b) => !moved.has(b.index)));
  }
  pending = frame;
}

const connection = new Connection({
  message(data) {
    recorder.add(data);
    const kind = kindOf(data);
    if (kind === 'SCEN') sceneMessage = data;
    if (player) return;
    if (kind === 'SCEN') setScene(decodeScene(data));
    else if (kind === 'FRAM') arrive(decodeFrame(data));
  },
  notice(kind, notice) {
    if (kind === 'sliders') sliders.update(notice.values ?? []);
    else showTrouble(notice.text ?? '', kind !== 'trouble');
  },
  state(connected) {
    if (served || player) return;
    status.dataset.state = connected ? 'live' : 'lost';
    status.textContent = connected ? 'live' : 'connection lost, trying again…';
    if (!connected) {
      tool.holding = false;
      headset.lose();
      return;
    }
    if (delassusBox.open) connection.send({ cmd: 'delassus', on: true });
    if (world.colours.quantity !== 'none') connection.send({ cmd: 'colour', of: world.colours.quantity });
  },
});

const tool = new Tool(connection, (holding) => {
  canvas.dataset.holding = String(holding);
  document.body.classList.toggle('holding', holding);
  element('hint').hidden = true; // whoever has done it once knows
});
setTimeout(() => (element('hint').hidden = true), 20_000);
new Pointer(world, tool, canvas);
const keys = new Keys(world, tool, canvas);
const headset = new Headset(world, connection, element<HTMLButtonElement>('vr'), (now) => work(now));
const sliders = new Sliders(element('sliders'), (index, value) => connection.send({ cmd: 'slider', index, value }));

/** The colours of a recording mean the same from its begin to its end. */
const fixScale = (of: Player) => world.colours.reset(of.largest(quantities.indexOf(world.colours.quantity)));

function seek(at: number): void {
  if (!player) return;
  const before = player.scene;
  player.at = at;
  if (player.scene !== before || scene !== player.scene) {
    setScene(player.scene);
    fixScale(player);
  }
  series.reset(player.scene.samples);
  for (const samples of player.samples(10)) series.append(samples);
  show(player.frame());
  plots.drawAll(series);
  controls.showTimeline(player);
}

function openRecording(opened: Player): void {
  player = opened;
  pending = null;
  tool.enabled = false;
  replaying = false;
  controls.showPlaying(false);
  status.textContent = 'recording';
  status.dataset.state = 'recording';
  element('hint').hidden = true;
  showTrouble('');
  scene = null;
  // The picture and its scales hold all that will be seen, so that an instant looks the same every time.
  const { contact, hand } = opened.strongest();
  world.contacts.strongest = contact;
  for (let k = 10; k >= 0; --k) {
    seek(Math.round((k / 10) * (opened.length - 1)));
    world.keepInView();
  }
  world.hands.strongest = Math.max(1, hand);
  seek(0);
}

/** What a server of a recording has sent already. */
const ask = (command: object) => {
  if (!served) connection.send(command);
};

const controls = new Controls(
  {
    send: (command) => connection.send(command),
    playPause() {
      if (player) {
        replaying = !replaying;
        if (replaying && player.at === player.length - 1) seek(0);
        replayTime = player.time;
        controls.showPlaying(replaying);
      } else connection.send({ cmd: newest?.playing ? 'pause' : 'play' });
    },
    startRecording() {
      if (!sceneMessage) return;
      recorder.start(sceneMessage);
      connection.send({ cmd: 'keyframe' });
    },
    openRecording,
    closeRecording() {
      player = null;
      tool.enabled = true;
      world.contacts.strongest = 0;
      controls.showTimeline(null);
      if (sceneMessage) setScene(decodeScene(sceneMessage));
      status.dataset.state = connection.connected ? 'live' : 'lost';
      connection.send({ cmd: 'keyframe' });
    },
    seek(at) {
      replaying = false;
      controls.showPlaying(false);
      seek(at);
    },
    centre: () => world.frameAll(),
    colour(quantity) {
      world.colours.quantity = quantity;
      ask({ cmd: 'colour', of: quantity });
      if (player) fixScale(player);
      if (newest) world.show({ ...newest, bodies: [] }, true);
    },
    follow: (on) => (world.following = on),
    layer(name, on) {
      if (name === 'contacts') world.contacts.group.visible = on;
      if (name === 'cones') world.contacts.showCones = on;
      if (name === 'patches') world.patches.group.visible = world.lenses.visible = on;
      if (name === 'hands') world.hands.group.visible = on;
      if (name === 'wireframe') for (const body of world.bodies) body.wireframe = on;
      if (newest) world.show({ ...newest, bodies: [] }, tool.holding);
    },
  },
  recorder,
  world,
);

delassusBox.addEventListener('toggle', () => ask({ cmd: 'delassus', on: delassusBox.open }));
watchTheme(element<HTMLButtonElement>('theme'), (dark) => {
  world.theme(dark);
  plots.restyle();
});

let lastPlot = 0;
let lastStatus = 0;
let last = 0;

function tick(now: number): void {
  requestAnimationFrame(tick);
  if (!headset.presenting) work(now);
}

/** Once per picture, of the page or of a headset. */
function work(now: number): void {
  keys.apply(now);
  tool.send(now);
  if (player && replaying) {
    replayTime += (now - last) / 1000;
    if (player.advanceTo(replayTime)) seek(player.at);
    if (player.at === player.length - 1) {
      replaying = false;
      controls.showPlaying(false);
    }
  }
  last = now;
  if (pending) {
    const frame = pending;
    pending = null;
    show(frame);
  }
  if (headset.presenting) {
    headset.render(now, strongest);
    ++pictures;
  } else if (world.render()) ++pictures;
  if (now - lastPlot > 60) {
    lastPlot = now;
    if (!player) plots.draw(series);
    feel();
  }
  if (now - lastStatus > 500) {
    tellStatus((now - lastStatus) / 1000);
    frames = pictures = 0;
    lastStatus = now;
  }
}

/** Rumble in the pads, and where the tool is on the screen (for tests and for scripts). */
function feel(): void {
  const hand = tool.hand;
  if (!hand) return;
  for (const other of tool.hands) strongest = Math.max(strongest, Math.hypot(other.force[0], other.force[1], other.force[2]));
  const force = Math.hypot(hand.force[0], hand.force[1], hand.force[2]);
  if (hand.taken && !player) keys.rumble(force, strongest);
  const at = new THREE.Vector3().fromArray(hand.position).project(world.camera);
  canvas.dataset.toolX = (0.5 * (at.x + 1) * canvas.clientWidth).toFixed(1);
  canvas.dataset.toolY = (0.5 * (1 - at.y) * canvas.clientHeight).toFixed(1);
}

function tellStatus(seconds: number): void {
  if (!newest) return;
  canvas.dataset.frames = String(Number(canvas.dataset.frames ?? 0) + frames);
  canvas.dataset.pictures = String(Number(canvas.dataset.pictures ?? 0) + pictures);
  canvas.dataset.step = String(newest.step);
  if (player || !connection.connected) return;
  const speed = newest.playing ? `${newest.rate.toFixed(2)} × real time` : 'paused';
  status.textContent = `${newest.time.toFixed(2)} s · ${speed} · ${(frames / seconds).toFixed(0)} states/s, ${(pictures / seconds).toFixed(0)} drawn/s`;
}

/** A server that was started with a recording instead of a scene. */
async function openServedRecording(): Promise<void> {
  const mode = await fetch('mode' + query).then((r) => r.json());
  if (mode.live) return;
  served = true;
  const file = await fetch('recording' + query).then((r) => r.arrayBuffer());
  openRecording(Player.open(file));
  element('live').hidden = true;
}

requestAnimationFrame(tick);
openServedRecording().catch((error) => showTrouble(String(error)));
