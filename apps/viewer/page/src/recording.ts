// Recordings: the server's messages as they came, kept in the page, downloaded as a file, opened again and scrubbed.
//     file = "PALPREC1", then per message: u32 length, the message
import { decodeFrame, decodeScene, kindOf, type BodyUpdate, type Frame, type SceneInfo } from './protocol';

const magic = 'PALPREC1';
const most_bytes = 1 << 29;

export class Recorder {
  recording = false;
  private messages: ArrayBuffer[] = [];
  private bytes = 0;

  get length(): number {
    return this.messages.length;
  }

  /** `scene`: the scene message that the coming frames belong to. */
  start(scene: ArrayBuffer): void {
    this.messages = [scene];
    this.bytes = scene.byteLength;
    this.recording = true;
  }

  stop(): void {
    this.recording = false;
  }

  add(message: ArrayBuffer): void {
    if (!this.recording) return;
    this.bytes += message.byteLength;
    if (this.bytes > most_bytes) return this.stop();
    this.messages.push(message);
  }

  file(): Blob {
    const parts: BlobPart[] = [magic];
    for (const message of this.messages) parts.push(new Uint32Array([message.byteLength]), message);
    return new Blob(parts, { type: 'application/octet-stream' });
  }
}

interface Shot {
  scene: number; // index into scenes
  frame: Frame;
}

export class Player {
  readonly scenes: SceneInfo[] = [];
  private shots: Shot[] = [];
  at = 0;

  /** Throws a readable error when the file is not a recording. */
  static open(file: ArrayBuffer): Player {
    const player = new Player();
    const view = new DataView(file);
    if (file.byteLength < 8 || new TextDecoder().decode(new Uint8Array(file, 0, 8)) !== magic)
      throw new Error('This file is not a recording of the viewer.');
    for (let at = 8; at + 4 <= file.byteLength; ) {
      const length = view.getUint32(at, true);
      if (at + 4 + length > file.byteLength) break; // cut short: what is there is shown
      const message = file.slice(at + 4, at + 4 + length);
      const kind = kindOf(message);
      if (kind === 'SCEN') player.scenes.push(decodeScene(message));
      if (kind === 'FRAM' && player.scenes.length > 0) {
        const frame = decodeFrame(message);
        if (frame.generation === player.scenes.at(-1)!.generation)
          player.shots.push({ scene: player.scenes.length - 1, frame });
      }
      at += 4 + length;
    }
    if (player.shots.length === 0) throw new Error('The recording has no frames.');
    return player;
  }

  get length(): number {
    return this.shots.length;
  }
  get scene(): SceneInfo {
    return this.scenes[this.shots[this.at].scene];
  }
  get time(): number {
    return this.shots[this.at].frame.time;
  }

  /** The largest force of any contact and of any hand, N. */
  strongest(): { contact: number; hand: number } {
    const size = (f: Float32Array) => Math.hypot(f[0], f[1], f[2]);
    let contact = 0;
    let hand = 0;
    for (const { frame } of this.shots) {
      for (const c of frame.contacts) contact = Math.max(contact, size(c.force));
      for (const h of frame.hands) hand = Math.max(hand, size(h.force));
    }
    return { contact, hand };
  }

  /** The largest value of a quantity that bodies are coloured by. */
  largest(quantity: number): number {
    let most = 0;
    for (const { frame } of this.shots) for (const c of frame.colours) if (c.quantity === quantity) most = Math.max(most, c.most);
    return most;
  }

  /** The frame there, with every body's newest positions up to it. */
  frame(): Frame {
    const { scene, frame } = this.shots[this.at];
    const bodies: BodyUpdate[] = [];
    const missing = new Set(this.scenes[scene].bodies.keys());
    for (let i = this.at; i >= 0 && missing.size > 0 && this.shots[i].scene === scene; --i)
      for (const update of this.shots[i].frame.bodies)
        if (missing.delete(update.index)) bodies.push(update);
    // Frames that came before the first whole one: what had not been sent yet did not move until it was.
    for (let i = this.at + 1; i < this.shots.length && missing.size > 0 && this.shots[i].scene === scene; ++i)
      for (const update of this.shots[i].frame.bodies)
        if (missing.delete(update.index)) bodies.push(update);
    return { ...frame, bodies };
  }

  /** Samples of the last `seconds` up to the frame, oldest first. */
  samples(seconds: number): Float32Array[] {
    const parts: Float32Array[] = [];
    const { scene, frame } = this.shots[this.at];
    for (let i = this.at; i >= 0 && this.shots[i].scene === scene; --i) {
      if (frame.time - this.shots[i].frame.time > seconds) break;
      const samples = this.shots[i].frame.samples;
      if (samples) parts.unshift(samples);
    }
    return parts;
  }

  /** The last frame not later than `time` in the present scene, going on from the present one. */
  advanceTo(time: number): boolean {
    const before = this.at;
    const scene = this.shots[before].scene;
    while (
      this.at + 1 < this.shots.length &&
      (this.shots[this.at + 1].scene !== scene || this.shots[this.at + 1].frame.time <= time)
    ) {
      ++this.at;
      if (this.shots[this.at].scene !== scene) break;
    }
    return this.at !== before;
  }
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
