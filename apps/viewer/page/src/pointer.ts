// Mouse and fingers: a press on the tool (or on the body it holds) drags it in the plane of the screen; the wheel,
// or a second finger moving up and down, moves it in depth. A press elsewhere turns the view.
import * as THREE from 'three';
import type { Tool } from './tool';
import type { World } from './world';

export class Pointer {
  private dragging = -1; // pointer id
  private depthFinger = -1;
  private depthY = 0;
  private plane = new THREE.Plane();
  private grab = new THREE.Vector3(); // from the pointer's point on the plane to the hand

  constructor(
    private world: World,
    private tool: Tool,
    private canvas: HTMLCanvasElement,
  ) {
    // In the capture phase, before the camera's controls hear of it.
    canvas.addEventListener('pointerdown', (e) => this.down(e), { capture: true });
    canvas.addEventListener('pointermove', (e) => this.move(e));
    for (const end of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(end, (e) => this.up(e));
    canvas.addEventListener('wheel', (e) => this.wheel(e), { capture: true, passive: false });
    canvas.style.touchAction = 'none';
  }

  private ray(e: PointerEvent | WheelEvent): THREE.Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(
      (2 * (e.clientX - box.left)) / box.width - 1,
      1 - (2 * (e.clientY - box.top)) / box.height,
    );
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.world.camera);
    return ray;
  }

  /** Which device a press takes: one whose hand is near the ray, or whose body the ray meets first. */
  private deviceAt(e: PointerEvent): number {
    const ray = this.ray(e).ray;
    const hands = this.hands();
    const reach = 0.09 * this.world.size * (e.pointerType === 'touch' ? 1.6 : 1);
    let best = -1;
    let nearest = reach;
    hands.forEach((hand, d) => {
      const distance = ray.distanceToPoint(new THREE.Vector3().fromArray(hand.position));
      if (distance < nearest) {
        nearest = distance;
        best = d;
      }
    });
    if (best >= 0) return best;
    const hit = this.ray(e).intersectObjects(this.world.bodies.map((b) => b.group), true)[0];
    if (!hit) return -1;
    const body = this.world.bodies.findIndex((b) => b.group === hit.object.parent);
    return hands.findIndex((hand) => hand.body === body);
  }

  private hands() {
    return this.tool.hands;
  }

  private down(e: PointerEvent): void {
    this.canvas.focus({ preventScroll: true });
    if (this.dragging >= 0) {
      if (e.pointerId !== this.dragging && e.pointerType === 'touch') {
        this.depthFinger = e.pointerId;
        this.depthY = e.clientY;
        e.stopImmediatePropagation();
      }
      return;
    }
    if (e.button !== 0) return;
    const device = this.deviceAt(e);
    if (device < 0 || !this.tool.take(device)) return;
    e.stopImmediatePropagation();
    e.preventDefault();
    this.dragging = e.pointerId;
    this.canvas.setPointerCapture(e.pointerId);
    this.world.controls.enabled = false;
    this.setPlane(e);
  }

  private setPlane(e: PointerEvent | WheelEvent): void {
    const towards = this.world.camera.getWorldDirection(new THREE.Vector3());
    this.plane.setFromNormalAndCoplanarPoint(towards, this.tool.position);
    const at = this.ray(e).ray.intersectPlane(this.plane, new THREE.Vector3());
    this.grab.copy(this.tool.position).sub(at ?? this.tool.position);
  }

  private move(e: PointerEvent): void {
    if (e.pointerId === this.depthFinger) {
      this.depth(((e.clientY - this.depthY) / this.canvas.clientHeight) * 2 * this.world.size);
      this.depthY = e.clientY;
      return;
    }
    if (e.pointerId !== this.dragging) return;
    const at = this.ray(e).ray.intersectPlane(this.plane, new THREE.Vector3());
    if (at) this.tool.moveTo(at.add(this.grab));
  }

  private up(e: PointerEvent): void {
    if (e.pointerId === this.depthFinger) this.depthFinger = -1;
    if (e.pointerId !== this.dragging) return;
    this.dragging = this.depthFinger = -1;
    this.world.controls.enabled = true;
    this.tool.release();
  }

  private wheel(e: WheelEvent): void {
    if (!this.tool.holding) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    this.depth(-0.0003 * e.deltaY * this.world.size);
    this.setPlane(e);
  }

  private depth(way: number): void {
    const towards = this.world.camera.getWorldDirection(new THREE.Vector3());
    this.tool.moveBy(towards.multiplyScalar(way));
    this.plane.setFromNormalAndCoplanarPoint(this.plane.normal, this.tool.position);
  }
}
