// Contacts: a point, an arrow for the force, a friction cone; coloured by what the contact does.
import * as THREE from 'three';
import { Touch, type Contact } from './protocol';

const most = 512;
export const touchColours: Record<Touch, number> = {
  [Touch.open]: 0x98a2b3,
  [Touch.stick]: 0x12b886,
  [Touch.slip]: 0xf76707,
  [Touch.joint]: 0x9c6ade,
};

const yAxis = new THREE.Vector3(0, 1, 0);

function instanced(geometry: THREE.BufferGeometry, material: THREE.Material): THREE.InstancedMesh {
  const mesh = new THREE.InstancedMesh(geometry, material, most);
  mesh.frustumCulled = false;
  mesh.count = 0;
  mesh.setColorAt(0, new THREE.Color(0)); // makes room for colours
  return mesh;
}

export class ContactView {
  readonly group = new THREE.Group();
  private size = 0.1;
  private scale = 0; // metres per newton, follows the largest force
  /** Of a recording, N: the same instant looks the same every time. 0: live. */
  strongest = 0;
  private points: THREE.InstancedMesh;
  private shafts: THREE.InstancedMesh;
  private heads: THREE.InstancedMesh;
  private cones: THREE.InstancedMesh;

  constructor() {
    const solid = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true });
    const glass = new THREE.MeshBasicMaterial({
      transparent: true,
      opacity: 0.28,
      side: THREE.DoubleSide,
      depthWrite: false,
    });
    // Unit arrow along y from the origin; unit cone with its tip at the origin.
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0);
    const head = new THREE.ConeGeometry(1, 1, 14).translate(0, -0.5, 0);
    const cone = new THREE.ConeGeometry(1, 1, 24, 1, true).rotateX(Math.PI).translate(0, 0.5, 0);
    this.points = instanced(new THREE.SphereGeometry(1, 10, 8), solid);
    this.shafts = instanced(shaft, solid);
    this.heads = instanced(head, solid);
    this.cones = instanced(cone, glass);
    for (const mesh of [this.cones, this.points, this.shafts, this.heads]) {
      mesh.renderOrder = 5;
      this.group.add(mesh);
    }
    this.cones.renderOrder = 4;
    this.cones.visible = false;
  }

  set sceneSize(size: number) {
    this.size = size;
    this.scale = 0;
  }
  set showCones(on: boolean) {
    this.cones.visible = on;
  }

  update(contacts: Contact[]): void {
    const largest = this.strongest || contacts.reduce((m, c) => Math.max(m, Math.hypot(c.force[0], c.force[1], c.force[2])), 0);
    if (largest > 0) {
      const wanted = (0.22 * this.size) / largest;
      // Grows slowly and shrinks at once, so that arrows neither jump nor leave the picture.
      this.scale = this.scale === 0 || this.strongest ? wanted : Math.min(wanted, this.scale * 1.02);
    }
    const n = Math.min(contacts.length, most);
    const thin = 0.006 * this.size;
    const m = new THREE.Matrix4();
    const q = new THREE.Quaternion();
    const p = new THREE.Vector3();
    const d = new THREE.Vector3();
    const s = new THREE.Vector3();
    const colour = new THREE.Color();
    let arrows = 0;
    for (let i = 0; i < n; ++i) {
      const c = contacts[i];
      colour.setHex(touchColours[c.touch]);
      p.fromArray(c.at);
      q.identity();
      const r = c.touch === Touch.open ? 0.6 * thin : 1.2 * thin;
      this.points.setMatrixAt(i, m.compose(p, q, s.set(r, r, r)));
      this.points.setColorAt(i, colour);
      // The cone stands on the contact, around the normal; its opening is µ.
      q.setFromUnitVectors(yAxis, d.fromArray(c.normal));
      const tall = c.touch === Touch.open || c.touch === Touch.joint ? 0 : 0.08 * this.size;
      this.cones.setMatrixAt(i, m.compose(p, q, s.set(c.mu * tall, tall, c.mu * tall)));
      this.cones.setColorAt(i, colour);
      d.fromArray(c.force);
      const length = d.length() * this.scale;
      if (length < 0.004 * this.size) continue;
      q.setFromUnitVectors(yAxis, d.normalize());
      const tip = Math.min(0.35 * length, 6 * thin);
      this.shafts.setMatrixAt(arrows, m.compose(p, q, s.set(0.7 * thin, length - tip, 0.7 * thin)));
      this.heads.setMatrixAt(arrows, m.compose(p.addScaledVector(d, length), q, s.set(2 * thin, tip, 2 * thin)));
      this.shafts.setColorAt(arrows, colour);
      this.heads.setColorAt(arrows, colour);
      ++arrows;
    }
    this.points.count = this.cones.count = n;
    this.shafts.count = this.heads.count = arrows;
    for (const mesh of [this.points, this.cones, this.shafts, this.heads]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }
}
