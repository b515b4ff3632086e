// What the visitor's hand wants: a pose that mouse, fingers, keys and gamepad move, and that is sent to the server.
import * as THREE from 'three';
import type { Connection } from './connection';
import type { Hand } from './protocol';

const again_ms = 200; // a pose is repeated this often, so that a simulation that was started again hears it

export class Tool {
  enabled = true; // false: a recording is shown, whose hands nobody moves
  holding = false;
  device = 0;
  kinds: string[] = []; // of the scene's devices; visitors may take those of the kind "page"
  readonly position = new THREE.Vector3();
  readonly orientation = new THREE.Quaternion();
  private buttons = 0; // bit 0: the first one
  private changed = false;
  private sent = 0;
  private newest: Hand[] = [];

  constructor(
    private connection: Connection,
    private onChange: (holding: boolean) => void,
  ) {}

  /** Where the hands are now, from the newest frame. */
  see(hands: Hand[]): void {
    this.newest = hands;
  }

  get hands(): Hand[] {
    return this.newest;
  }

  get hand(): Hand | undefined {
    return this.newest[this.device];
  }

  /** A hand that a real device moves is not the visitor's. */
  takable(device: number): boolean {
    return (this.kinds[device] ?? 'page') === 'page';
  }

  /** Takes the hand where it is; without a number the last one, or the first that can be taken. */
  take(device = this.takable(this.device) ? this.device : this.newest.findIndex((_, d) => this.takable(d))): boolean {
    const hand = this.newest[device];
    if (!hand || !this.takable(device) || !this.enabled || !this.connection.connected) return false;
    if (this.holding && device === this.device) return true;
    this.release();
    this.device = device;
    this.position.fromArray(hand.position);
    this.orientation.fromArray(hand.orientation);
    this.buttons = 0;
    this.holding = this.changed = true;
    this.onChange(true);
    return true;
  }

  release(): void {
    if (!this.holding) return;
    this.holding = false;
    this.connection.send({ cmd: 'release', device: this.device });
    this.onChange(false);
  }

  moveTo(position: THREE.Vector3): void {
    this.position.copy(position);
    this.changed = true;
  }

  moveBy(way: THREE.Vector3): void {
    this.position.add(way);
    this.changed = true;
  }

  turnTo(orientation: THREE.Quaternion): void {
    this.orientation.copy(orientation).normalize();
    this.changed = true;
  }

  press(buttons: number): void {
    this.buttons = buttons;
    this.changed = true;
  }

  turnBy(axis: THREE.Vector3, angle: number): void {
    this.orientation.premultiply(new THREE.Quaternion().setFromAxisAngle(axis, angle)).normalize();
    this.changed = true;
  }

  /** Once per picture. */
  send(now: number): void {
    if (!this.holding || (!this.changed && now - this.sent < again_ms)) return;
    this.changed = false;
    this.sent = now;
    this.connection.send({
      cmd: 'hold',
      device: this.device,
      p: this.position.toArray(),
      q: this.orientation.toArray(),
      ...(this.buttons ? { b: this.buttons } : {}),
    });
  }
}
