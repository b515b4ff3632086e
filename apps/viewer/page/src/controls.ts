// Buttons, pickers and short cuts around the view.
import { quantities, type Quantity } from './colours';
import { download, Player, type Recorder } from './recording';
import type { Frame, SceneInfo } from './protocol';
import type { World } from './world';

export const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

export interface Actions {
  send(command: object): void;
  playPause(): void;
  startRecording(): void;
  openRecording(player: Player): void;
  closeRecording(): void;
  seek(at: number): void;
  centre(): void;
  colour(quantity: Quantity): void;
  follow(on: boolean): void;
  layer(name: string, on: boolean): void;
}

const layers: [name: string, label: string, on: boolean][] = [
  ['contacts', 'Contact forces', true],
  ['cones', 'Friction cones', false],
  ['hands', 'Hand and coupling', true],
  ['patches', 'Contact patches and trust region', true],
  ['wireframe', 'Wire frame', false],
];

export class Controls {
  private play = element<HTMLButtonElement>('play');
  private record = element<HTMLButtonElement>('record');
  private scrub = element<HTMLInputElement>('scrub');
  private scenes = element<HTMLSelectElement>('scenes');
  private speed = element<HTMLSelectElement>('speed');
  private colour = element<HTMLSelectElement>('colour');
  private follow = element<HTMLButtonElement>('follow');
  private devices: string[] = [];

  constructor(
    private actions: Actions,
    private recorder: Recorder,
    private world: World,
  ) {
    this.play.onclick = () => actions.playPause();
    element('step').onclick = () => actions.send({ cmd: 'step' });
    element('reset').onclick = () => actions.send({ cmd: 'reset' });
    element('frame').onclick = () => actions.centre();
    this.follow.onclick = () => this.toggleFollow();
    this.colour.onchange = () => actions.colour(this.colour.value as Quantity);
    this.speed.onchange = () => actions.send({ cmd: 'speed', value: Number(this.speed.value) });
    this.scenes.onchange = () => actions.send({ cmd: 'scene', index: Number(this.scenes.value) });
    this.record.onclick = () => this.toggleRecording();
    element('download').onclick = () => download(recorder.file(), `${this.world.bodies.length ? document.title : 'palp'}.palp`);
    element('shot').onclick = () => this.picture();
    element('live').onclick = () => actions.closeRecording();
    this.scrub.oninput = () => actions.seek(Number(this.scrub.value));
    this.files();
    this.panel();
    this.layerBoxes();
    document.addEventListener('keydown', (e) => this.shortCut(e));
  }

  setScene(info: SceneInfo): void {
    document.title = `Palp: ${info.title}`;
    this.devices = info.devices;
    element('about').textContent = info.description ?? '';
    element('about').hidden = !info.description;
    this.scenes.replaceChildren(...info.scenes.map((name, k) => new Option(name, String(k), false, k === info.scene)));
  }

  setFrame(frame: Frame, replay: boolean): void {
    if (!replay) this.showPlaying(frame.playing);
    if (document.activeElement !== this.speed) {
      const same = [...this.speed.options].find((o) => Math.abs(Number(o.value) - frame.speed) < 1e-3);
      if (same) this.speed.value = same.value;
    }
    element('readout').replaceChildren(
      ...frame.hands.map((hand, d) => {
        const row = document.createElement('div');
        const force = Math.hypot(hand.force[0], hand.force[1], hand.force[2]);
        row.textContent = `${force.toFixed(force < 9.95 ? 2 : 1)} N`;
        const whose = document.createElement('small');
        whose.textContent = ` on ${this.devices[d] ?? 'the hand'}`;
        row.append(whose);
        row.dataset.force = String(force);
        row.dataset.components = hand.force.join(' ');
        return row;
      }),
    );
  }

  showPlaying(playing: boolean): void {
    this.play.textContent = playing ? 'Pause' : 'Play';
    this.play.setAttribute('aria-pressed', String(playing));
  }

  showTimeline(player: Player | null): void {
    element('timeline').hidden = !player;
    for (const id of ['step', 'reset', 'record', 'speed', 'scenes']) element<HTMLButtonElement>(id).disabled = !!player;
    if (!player) return;
    const note = player.scene.note ?? '';
    element('note').textContent = note;
    element('note').hidden = note === '';
    this.scrub.max = String(player.length - 1);
    this.scrub.value = String(player.at);
    element('scrub-time').textContent = `${player.time.toFixed(2)} s`;
    this.scrub.setAttribute('aria-valuetext', `${player.time.toFixed(2)} seconds`);
  }

  showRecording(): void {
    const on = this.recorder.recording;
    this.record.setAttribute('aria-pressed', String(on));
    this.record.textContent = on ? 'Stop' : 'Record';
    element<HTMLButtonElement>('download').disabled = on || this.recorder.length < 2;
  }

  private toggleRecording(): void {
    if (this.recorder.recording) this.recorder.stop();
    else this.actions.startRecording();
    this.showRecording();
  }

  private toggleFollow(): void {
    const on = this.follow.getAttribute('aria-pressed') !== 'true';
    this.follow.setAttribute('aria-pressed', String(on));
    this.actions.follow(on);
  }

  private nextColour(): void {
    this.colour.selectedIndex = (this.colour.selectedIndex + 1) % quantities.length;
    this.actions.colour(this.colour.value as Quantity);
  }

  private picture(): void {
    this.world.needsRender = true;
    this.world.render();
    this.world.canvas.toBlob((blob) => blob && download(blob, `${document.title}.png`), 'image/png');
  }

  private files(): void {
    const input = element<HTMLInputElement>('file');
    const open = async (file: File | undefined) => {
      if (!file) return;
      try {
        this.actions.openRecording(Player.open(await file.arrayBuffer()));
      } catch (error) {
        showTrouble(error instanceof Error ? error.message : String(error));
      }
    };
    element('open').onclick = () => input.click();
    input.onchange = () => void open(input.files?.[0]).then(() => (input.value = ''));
    document.addEventListener('dragover', (e) => e.preventDefault());
    document.addEventListener('drop', (e) => {
      e.preventDefault();
      void open(e.dataTransfer?.files[0]);
    });
  }

  private panel(): void {
    const button = element<HTMLButtonElement>('toggle-panel');
    const set = (open: boolean) => {
      document.body.classList.toggle('panel-closed', !open);
      button.setAttribute('aria-expanded', String(open));
    };
    const narrow = matchMedia('(max-width: 760px)');
    button.onclick = () => set(document.body.classList.contains('panel-closed'));
    narrow.addEventListener('change', () => set(!narrow.matches));
    set(!narrow.matches);
  }

  private layerBoxes(): void {
    element('layers').replaceChildren(
      ...layers.map(([name, label, on]) => {
        const row = document.createElement('label');
        const box = document.createElement('input');
        box.type = 'checkbox';
        box.checked = on;
        box.onchange = () => this.actions.layer(name, box.checked);
        row.className = 'check';
        row.append(box, ` ${label}`);
        return row;
      }),
    );
  }

  private shortCut(e: KeyboardEvent): void {
    const busy = e.target instanceof HTMLInputElement || e.target instanceof HTMLSelectElement || e.target instanceof HTMLButtonElement;
    if (busy || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.code === 'Space') this.actions.playPause();
    else if (e.key === '.') this.actions.send({ cmd: 'step' });
    else if (e.key === '0') this.actions.send({ cmd: 'reset' });
    else if (e.key === 'f') this.actions.centre();
    else if (e.key === 'v') this.toggleFollow();
    else if (e.key === 'c') this.nextColour();
    else return;
    e.preventDefault();
  }
}

/** `passing`: gone after some seconds. */
export function showTrouble(text: string, passing = false): void {
  const box = element('trouble');
  box.hidden = text === '';
  box.textContent = text;
  if (passing) setTimeout(() => (box.hidden ||= box.textContent === text), 5000);
}
