// Keys on the view: arrows and page keys move the tool, letters turn it, Escape lets go. Gamepad: sticks move and
// turn it, a shoulder button lets go; contact rumbles.
import * as THREE from 'three';
import type { Tool } from './tool';
import type { World } from './world';

/** Right, up, away; turns about the same three axes of the screen. */
interface Motion {
  way: THREE.Vector3;
  turn: THREE.Vector3;
}

const moves: Record<string, [keyof Motion, number, number]> = {
  ArrowRight: ['way', 0, 1],
  ArrowLeft: ['way', 0, -1],
  ArrowUp: ['way', 1, 1],
  ArrowDown: ['way', 1, -1],
  PageUp: ['way', 2, 1],
  PageDown: ['way', 2, -1],
  KeyW: ['turn', 0, -1],
  KeyS: ['turn', 0, 1],
  KeyA: ['turn', 1, -1],
  KeyD: ['turn', 1, 1],
  KeyE: ['turn', 2, 1],
  KeyQ: ['turn', 2, -1],
};

export class Keys {
  private down = new Set<string>();
  private byKeys = false; // the tool was taken with keys or pad, not by the pointer
  private last = 0;

  constructor(
    private world: World,
    private tool: Tool,
    canvas: HTMLCanvasElement,
  ) {
    canvas.addEventListener('keydown', (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.code === 'Escape') this.letGo();
      if (!(e.code in moves)) return;
      this.down.add(e.code);
      e.preventDefault();
    });
    canvas.addEventListener('keyup', (e) => this.down.delete(e.code));
    canvas.addEventListener('blur', () => {
      this.down.clear();
      this.letGo();
    });
  }

  /** Once per picture: moves the tool by what is pressed. */
  apply(now: number): void {
    const seconds = Math.min(0.05, (now - this.last) / 1000);
    this.last = now;
    const motion: Motion = { way: new THREE.Vector3(), turn: new THREE.Vector3() };
    for (const code of this.down) {
      const [what, axis, sign] = moves[code];
      motion[what].setComponent(axis, motion[what].getComponent(axis) + sign);
    }
    this.readPad(motion);
    if (motion.way.lengthSq() + motion.turn.lengthSq() === 0) return;
    if (!this.tool.holding) {
      if (!this.tool.take()) return;
      this.byKeys = true;
    }
    const { camera, size } = this.world;
    const right = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
    const up = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    const away = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 2).negate();
    const speed = 0.35 * size * seconds;
    this.tool.moveBy(
      right
        .clone()
        .multiplyScalar(speed * motion.way.x)
        .addScaledVector(up, speed * motion.way.y)
        .addScaledVector(away, speed * motion.way.z),
    );
    [right, up, away].forEach((axis, k) => {
      const angle = 1.2 * seconds * motion.turn.getComponent(k);
      if (angle !== 0) this.tool.turnBy(axis, angle);
    });
  }

  /** Shakes the pads in proportion to the force. */
  rumble(force: number, strongest: number): void {
    if (force < 0.02 * strongest) return;
    const strength = Math.min(1, force / strongest);
    for (const pad of navigator.getGamepads())
      void pad?.vibrationActuator
        ?.playEffect('dual-rumble', { duration: 60, strongMagnitude: strength, weakMagnitude: 0.5 * strength })
        .catch(() => undefined);
  }

  private readPad(motion: Motion): void {
    const live = (v: number) => (Math.abs(v) > 0.15 ? v : 0);
    for (const pad of navigator.getGamepads()) {
      if (!pad?.connected) continue;
      motion.way.x += live(pad.axes[0] ?? 0);
      motion.way.y -= live(pad.axes[1] ?? 0);
      motion.turn.y += live(pad.axes[2] ?? 0);
      motion.way.z -= live(pad.axes[3] ?? 0);
      motion.turn.z += (pad.buttons[7]?.value ?? 0) - (pad.buttons[6]?.value ?? 0);
      if (pad.buttons[4]?.pressed || pad.buttons[5]?.pressed) this.letGo();
    }
  }

  private letGo(): void {
    if (this.byKeys) this.tool.release();
    this.byKeys = false;
  }
}
