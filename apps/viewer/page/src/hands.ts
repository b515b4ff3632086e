// Devices: the hand (a ring and a ball) with its name, the point of the body that its coupling holds, and the coupling
// between them.
import * as THREE from 'three';
import type { Hand } from './protocol';

const calm = new THREE.Color(0x3fa7ff);
const strained = new THREE.Color(0xff4d4f);

class HandView {
  readonly group = new THREE.Group();
  readonly handle: THREE.Mesh;
  private proxy: THREE.Mesh;
  private coupling: THREE.Mesh;
  private ring: THREE.Mesh;
  private colour = new THREE.Color();
  readonly label = document.createElement('span');
  private reach: number;

  constructor(name: string, size: number) {
    const r = 0.035 * size;
    this.reach = 1.9 * r;
    this.label.className = 'hand-name';
    this.label.textContent = name;
    const see = { depthTest: false, transparent: true };
    this.handle = new THREE.Mesh(
      new THREE.SphereGeometry(r, 24, 16),
      new THREE.MeshBasicMaterial({ color: calm, opacity: 0.75, ...see }),
    );
    this.ring = new THREE.Mesh(
      new THREE.TorusGeometry(1.7 * r, 0.16 * r, 10, 40),
      new THREE.MeshBasicMaterial({ color: calm, opacity: 0.9, ...see }),
    );
    this.proxy = new THREE.Mesh(
      new THREE.SphereGeometry(0.5 * r, 16, 12),
      new THREE.MeshBasicMaterial({ color: 0xffffff, ...see }),
    );
    this.coupling = new THREE.Mesh(
      new THREE.CylinderGeometry(0.14 * r, 0.14 * r, 1, 8),
      new THREE.MeshBasicMaterial({ color: calm, ...see }),
    );
    for (const mesh of [this.coupling, this.handle, this.ring, this.proxy]) {
      mesh.renderOrder = 8;
      this.group.add(mesh);
    }
  }

  /** The name beside the ring. */
  placeLabel(camera: THREE.Camera, width: number, height: number): void {
    const side = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
    const at = this.handle.position.clone().addScaledVector(side, this.reach).project(camera);
    this.label.hidden = !(Math.abs(at.x) < 1 && Math.abs(at.y) < 1 && Math.abs(at.z) < 1);
    this.label.style.transform = `translate(${(0.5 * (at.x + 1) * width).toFixed(1)}px, ${(0.5 * (1 - at.y) * height).toFixed(1)}px) translateY(-50%)`;
  }

  /** `strain`: 0 relaxed, 1 the strongest pull seen. */
  update(hand: Hand, strain: number, camera: THREE.Camera): void {
    this.handle.position.fromArray(hand.position);
    this.handle.quaternion.fromArray(hand.orientation);
    this.ring.position.copy(this.handle.position);
    this.ring.quaternion.copy(camera.quaternion);
    this.proxy.visible = this.coupling.visible = hand.body >= 0;
    this.proxy.position.fromArray(hand.gripPosition);
    const way = this.proxy.position.clone().sub(this.handle.position);
    const length = way.length();
    this.coupling.visible &&= length > 1e-7;
    if (this.coupling.visible) {
      this.coupling.position.copy(this.handle.position).addScaledVector(way, 0.5);
      this.coupling.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.normalize());
      this.coupling.scale.set(1, length, 1);
    }
    this.colour.lerpColors(calm, strained, Math.min(1, strain));
    for (const mesh of [this.coupling, this.handle, this.ring])
      (mesh.material as THREE.MeshBasicMaterial).color.copy(this.colour);
  }
}

export class HandsView {
  readonly group = new THREE.Group();
  private views: HandView[] = [];
  private labels = document.createElement('div');
  strongest = 1; // N

  constructor(private canvas: HTMLCanvasElement) {
    this.labels.id = 'hand-names';
    this.labels.setAttribute('aria-hidden', 'true'); // the readout says the same
    canvas.parentElement!.append(this.labels);
  }

  rebuild(names: string[], size: number): void {
    this.group.clear();
    this.views = names.map((name) => new HandView(name, size));
    for (const view of this.views) this.group.add(view.group);
    this.labels.replaceChildren(...this.views.map((view) => view.label));
    this.strongest = 1; // less than a newton is calm
  }

  placeLabels(camera: THREE.Camera): void {
    this.labels.hidden = !this.group.visible;
    for (const view of this.views) view.placeLabel(camera, this.canvas.clientWidth, this.canvas.clientHeight);
  }

  update(hands: Hand[], camera: THREE.Camera): void {
    hands.forEach((hand, d) => {
      const force = Math.hypot(hand.force[0], hand.force[1], hand.force[2]);
      this.strongest = Math.max(this.strongest, force);
      this.views[d]?.update(hand, force / this.strongest, camera);
    });
  }
}
