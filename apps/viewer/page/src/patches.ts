// Geometrically limited constraints (K16 §3.3) as translucent rectangles on the surface, those that carry a force in a
// strong colour; the trust region of each proxy as a thin box, red while it holds the proxy back.
import * as THREE from 'three';
import { Use, type Hand, type Patch, type Region } from './protocol';

const most = 1024;
const colours: Record<Use, number> = { [Use.idle]: 0x5c7cfa, [Use.chosen]: 0xfab005, [Use.carries]: 0xfcc419 };
const calm = 0x5c7cfa;
const strained = 0xff4d4f;

function quads(opacity: number, order: number): THREE.InstancedMesh {
  const material = new THREE.MeshBasicMaterial({
    transparent: true,
    opacity,
    side: THREE.DoubleSide,
    depthWrite: false,
    polygonOffset: true, // a patch lies in the surface: drawn just above it
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -2,
  });
  const mesh = new THREE.InstancedMesh(new THREE.PlaneGeometry(2, 2), material, most);
  mesh.frustumCulled = false;
  mesh.renderOrder = order;
  mesh.count = 0;
  mesh.setColorAt(0, new THREE.Color(0)); // makes room for colours
  return mesh;
}

export class PatchView {
  readonly group = new THREE.Group();
  /** Where the point tools are, small; for the lenses. */
  readonly points = new THREE.InstancedMesh(
    new THREE.SphereGeometry(1, 16, 12),
    new THREE.MeshBasicMaterial({ color: 0xe8590c, depthTest: false, transparent: true }),
    16,
  );
  private idle = quads(0.14, 2);
  private used = quads(0.85, 3);
  private rims: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private boxes: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>[] = [];
  private box = new THREE.EdgesGeometry(new THREE.BoxGeometry(2, 2, 2));

  constructor() {
    const rims = new THREE.BufferGeometry();
    rims.setAttribute('position', new THREE.BufferAttribute(new Float32Array(most * 8 * 3), 3));
    this.rims = new THREE.LineSegments(rims, new THREE.LineBasicMaterial({ color: calm, transparent: true, opacity: 0.45 }));
    this.rims.frustumCulled = false;
    this.rims.renderOrder = 2;
    this.points.frustumCulled = false;
    this.points.renderOrder = 9;
    this.points.visible = false;
    this.group.add(this.idle, this.used, this.rims, this.points);
  }

  update(patches: Patch[], regions: Region[], hands: Hand[]): void {
    this.showPoints(hands, regions);
    const t1 = new THREE.Vector3();
    const t2 = new THREE.Vector3();
    const n = new THREE.Vector3();
    const at = new THREE.Vector3();
    const m = new THREE.Matrix4();
    const colour = new THREE.Color();
    const rim = this.rims.geometry.attributes.position as THREE.BufferAttribute;
    const count = Math.min(patches.length, most);
    let idle = 0;
    let used = 0;
    for (let i = 0; i < count; ++i) {
      const p = patches[i];
      n.fromArray(p.normal);
      t1.fromArray(p.t1);
      t2.crossVectors(n, t1).multiplyScalar(p.s2);
      t1.multiplyScalar(p.s1);
      at.fromArray(p.at);
      m.makeBasis(t1, t2, n).setPosition(at);
      const mesh = p.use === Use.idle ? this.idle : this.used;
      const k = p.use === Use.idle ? idle++ : used++;
      mesh.setMatrixAt(k, m);
      mesh.setColorAt(k, colour.setHex(colours[p.use]));
      // The four sides, corner after corner.
      const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
      for (let c = 0; c < 8; ++c) {
        const [a, b] = corners[((c + 1) >> 1) % 4];
        rim.setXYZ(8 * i + c, at.x + a * t1.x + b * t2.x, at.y + a * t1.y + b * t2.y, at.z + a * t1.z + b * t2.z);
      }
    }
    this.idle.count = idle;
    this.used.count = used;
    this.rims.geometry.setDrawRange(0, 8 * count);
    rim.needsUpdate = true;
    for (const mesh of [this.idle, this.used]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
    this.showRegions(regions);
  }

  private showPoints(hands: Hand[], regions: Region[]): void {
    this.points.count = Math.min(16, regions.length > 0 ? hands.length : 0);
    const r = 0.05 * Math.max(...(regions[0]?.half ?? [0]));
    const m = new THREE.Matrix4().makeScale(r, r, r);
    for (let k = 0; k < this.points.count; ++k)
      this.points.setMatrixAt(k, m.setPosition(hands[k].gripPosition[0], hands[k].gripPosition[1], hands[k].gripPosition[2]));
    this.points.instanceMatrix.needsUpdate = true;
  }

  private showRegions(regions: Region[]): void {
    while (this.boxes.length < regions.length) {
      const box = new THREE.LineSegments(this.box, new THREE.LineBasicMaterial({ transparent: true, opacity: 0.8 }));
      box.frustumCulled = false;
      this.boxes.push(box);
      this.group.add(box);
    }
    this.boxes.forEach((box, k) => {
      const region = regions[k];
      box.visible = region !== undefined;
      if (!region) return;
      box.position.fromArray(region.centre);
      box.scale.fromArray(region.half);
      box.material.color.setHex(region.holds ? strained : calm);
    });
  }
}
