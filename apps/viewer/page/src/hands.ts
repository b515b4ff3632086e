// Devices: the hand (a ring and a ball), the point of the body that its coupling holds, and the coupling between them.
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

  constructor(size: number) {
    const r = 0.035 * size;
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
  strongest = 1; // N

  rebuild(count: number, size: number): void {
    this.group.clear();
    this.views = Array.from({ length: count }, () => new HandView(size));
    for (const view of this.views) this.group.add(view.group);
    this.strongest = 1; // less than a newton is calm
  }

  update(hands: Hand[], camera: THREE.Camera): void {
    hands.forEach((hand, d) => {
      const force = Math.hypot(hand.force[0], hand.force[1], hand.force[2]);
      this.strongest = Math.max(this.strongest, force);
      this.views[d]?.update(hand, force / this.strongest, camera);
    });
  }
}
