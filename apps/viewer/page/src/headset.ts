// WebXR: the scene on a table before the visitor, and a hand for each controller. The trigger takes the nearest hand
// where it is and moves it as the controller moves; squeezing is the hand's button; what the hand feels shakes the
// controller. The scene is moved and scaled to the visitor, not the visitor to the scene: the world's axes are then the
// headset's, in metres.
import * as THREE from 'three';
import type { Connection } from './connection';
import { showTrouble } from './controls';
import type { Hand, SceneInfo } from './protocol';
import { Tool } from './tool';
import type { World } from './world';

const table = new THREE.Vector3(0, 1.1, -0.6); // before a visitor who stands or sits; metres above the floor
const width = 0.5; // of what moves, as the visitor sees it
const again_ms = 50; // between two pulses

/** One controller, and the hand that it holds. */
class Controller {
  readonly tool: Tool;
  private readonly space: THREE.XRTargetRaySpace;
  private source: XRInputSource | null = null;
  private readonly from = new THREE.Vector3(); // controller and hand when it was taken, in the scene
  private readonly turn = new THREE.Quaternion();
  private readonly hand = new THREE.Vector3();
  private readonly handTurn = new THREE.Quaternion();
  private pulsed = 0;

  constructor(
    number: number,
    private world: World,
    connection: Connection,
    private others: () => Controller[],
  ) {
    this.tool = new Tool(connection, () => undefined);
    this.space = world.renderer.xr.getController(number);
    this.space.addEventListener('connected', (e) => (this.source = e.data));
    this.space.addEventListener('disconnected', () => {
      this.source = null;
      this.tool.release();
    });
    this.space.addEventListener('selectstart', () => this.take());
    this.space.addEventListener('selectend', () => this.tool.release());
    this.space.addEventListener('squeezestart', () => this.tool.press(1));
    this.space.addEventListener('squeezeend', () => this.tool.press(0));
  }

  /** Where it is, in the scene. */
  private pose(): { position: THREE.Vector3; turn: THREE.Quaternion } {
    const { scene } = this.world;
    this.space.updateMatrixWorld();
    const position = scene.worldToLocal(new THREE.Vector3().setFromMatrixPosition(this.space.matrixWorld));
    const turn = new THREE.Quaternion().setFromRotationMatrix(this.space.matrixWorld);
    return { position, turn: turn.premultiply(scene.quaternion.clone().invert()) };
  }

  private take(): void {
    const { position, turn } = this.pose();
    const held = this.others().filter((c) => c !== this && c.tool.holding).map((c) => c.tool.device);
    let best = -1;
    let nearest = Infinity;
    this.tool.hands.forEach((hand, d) => {
      const distance = position.distanceTo(new THREE.Vector3().fromArray(hand.position));
      if (distance >= nearest || held.includes(d) || !this.tool.takable(d)) return;
      nearest = distance;
      best = d;
    });
    if (best < 0 || !this.tool.take(best)) return;
    this.from.copy(position);
    this.turn.copy(turn).invert();
    this.hand.copy(this.tool.position);
    this.handTurn.copy(this.tool.orientation);
  }

  /** Once per picture. */
  follow(now: number, strongest: number): void {
    if (!this.tool.holding) return;
    const { position, turn } = this.pose();
    this.tool.moveTo(position.sub(this.from).add(this.hand));
    this.tool.turnTo(turn.multiply(this.turn).multiply(this.handTurn));
    this.tool.send(now);
    this.shake(now, strongest);
  }

  private shake(now: number, strongest: number): void {
    const felt = this.tool.hand?.force;
    const force = felt ? Math.hypot(felt[0], felt[1], felt[2]) : 0;
    if (force < 0.02 * strongest || now - this.pulsed < again_ms) return;
    this.pulsed = now;
    const actuator = (this.source?.gamepad as { hapticActuators?: { pulse(value: number, ms: number): unknown }[] } | undefined)
      ?.hapticActuators?.[0];
    actuator?.pulse(Math.min(1, force / strongest), again_ms + 10);
  }
}

export class Headset {
  private readonly camera = new THREE.PerspectiveCamera(60, 1, 0.05, 50);
  private readonly controllers: Controller[];

  /** `draw`: what is done once per picture while the headset shows the scene. */
  constructor(
    private world: World,
    connection: Connection,
    button: HTMLButtonElement,
    draw: (now: number) => void,
  ) {
    const { xr } = world.renderer;
    this.controllers = [0, 1].map((k) => new Controller(k, world, connection, () => this.controllers));
    void navigator.xr?.isSessionSupported('immersive-vr').then((can) => (button.hidden = !can));
    button.onclick = async () => {
      if (xr.isPresenting) return void xr.getSession()?.end();
      try {
        xr.enabled = true;
        await xr.setSession(await navigator.xr!.requestSession('immersive-vr', { optionalFeatures: ['local-floor'] }));
      } catch (error) {
        xr.enabled = false;
        showTrouble(`The headset cannot be used: ${error}`, true);
      }
    };
    xr.addEventListener('sessionstart', () => {
      this.place();
      button.setAttribute('aria-pressed', 'true');
      xr.setAnimationLoop(draw); // the renderer's own loop is the page's
    });
    xr.addEventListener('sessionend', () => {
      for (const controller of this.controllers) controller.tool.release();
      world.renderer.setAnimationLoop(null);
      xr.enabled = false;
      button.setAttribute('aria-pressed', 'false');
      world.takeBack();
    });
  }

  get presenting(): boolean {
    return this.world.renderer.xr.isPresenting;
  }

  setScene(info: SceneInfo): void {
    for (const { tool } of this.controllers) tool.kinds = info.kinds ?? [];
    if (this.presenting) this.place();
  }

  see(hands: Hand[]): void {
    for (const { tool } of this.controllers) tool.see(hands);
  }

  /** The connection is lost: so is what was held. */
  lose(): void {
    for (const { tool } of this.controllers) tool.holding = false;
  }

  render(now: number, strongest: number): void {
    for (const controller of this.controllers) controller.follow(now, strongest);
    this.world.renderer.render(this.world.scene, this.camera);
  }

  private place(): void {
    this.world.putOn(table, width);
  }
}
