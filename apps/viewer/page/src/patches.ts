// Geometrically limited constraints (K16 §3.3) as translucent pieces of the surface, those that carry a force in a
// strong colour; the trust region of each proxy as a thin box, red while it holds the proxy back.
import * as THREE from 'three';
import { Use, type Hand, type Patch, type Region } from './protocol';

const most = 1024; // patches
const mostCorners = 8; // of a patch
const colours: Record<Use, number> = { [Use.idle]: 0x5c7cfa, [Use.chosen]: 0xfab005, [Use.carries]: 0xfcc419 };
const calm = 0x5c7cfa;
const strained = 0xff4d4f;

/** Triangles whose corners and colours are written anew at each frame. */
class Faces {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  private at = new THREE.BufferAttribute(new Float32Array(most * (mostCorners - 2) * 9), 3);
  private colour = new THREE.BufferAttribute(new Float32Array(most * (mostCorners - 2) * 9), 3);
  private count = 0;

  /** `always`: also where something stands in front. */
  constructor(opacity: number, order: number, always: boolean) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.at);
    geometry.setAttribute('color', this.colour);
    this.mesh = new THREE.Mesh(
      geometry,
      new THREE.MeshBasicMaterial({
        vertexColors: true,
        transparent: true,
        opacity,
        side: THREE.DoubleSide,
        depthWrite: false,
        depthTest: !always,
        polygonOffset: true, // a patch lies in the surface: drawn just above it
        polygonOffsetFactor: -2,
        polygonOffsetUnits: -2,
      }),
    );
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = order;
  }

  begin(): void {
    this.count = 0;
  }

  /** A convex polygon, as a fan. */
  add(corners: Float32Array, colour: THREE.Color): void {
    for (let k = 2; k < Math.min(corners.length / 3, mostCorners); ++k)
      for (const c of [0, k - 1, k]) {
        this.at.setXYZ(this.count, corners[3 * c], corners[3 * c + 1], corners[3 * c + 2]);
        this.colour.setXYZ(this.count++, colour.r, colour.g, colour.b);
      }
  }

  end(): void {
    this.mesh.geometry.setDrawRange(0, this.count);
    this.at.needsUpdate = this.colour.needsUpdate = true;
  }
}

export class PatchView {
  readonly group = new THREE.Group();
  /** Where the point tools are, small; for the lenses. */
  readonly points = new THREE.InstancedMesh(
    new THREE.SphereGeometry(1, 16, 12),
    new THREE.MeshBasicMaterial({ color: 0xe8590c, depthTest: false, transparent: true }),
    16,
  );
  private idle = new Faces(0.14, 2, false);
  private used = new Faces(0.85, 10, true); // above the point
  private rims: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private boxes: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>[] = [];
  private box = new THREE.EdgesGeometry(new THREE.BoxGeometry(2, 2, 2));

  constructor() {
    const rims = new THREE.BufferGeometry();
    rims.setAttribute('position', new THREE.BufferAttribute(new Float32Array(most * 2 * mostCorners * 3), 3));
    this.rims = new THREE.LineSegments(rims, new THREE.LineBasicMaterial({ color: calm, transparent: true, opacity: 0.45 }));
    this.rims.frustumCulled = false;
    this.rims.renderOrder = 2;
    this.points.frustumCulled = false;
    this.points.renderOrder = 9;
    this.points.visible = false;
    this.group.add(this.idle.mesh, this.used.mesh, this.rims, this.points);
  }

  update(patches: Patch[], regions: Region[], hands: Hand[]): void {
    this.showPoints(hands, regions);
    const colour = new THREE.Color();
    const rim = this.rims.geometry.attributes.position as THREE.BufferAttribute;
    let ends = 0;
    this.idle.begin();
    this.used.begin();
    for (const { corners, use } of patches.slice(0, most)) {
      (use === Use.idle ? this.idle : this.used).add(corners, colour.setHex(colours[use]));
      const count = Math.min(corners.length / 3, mostCorners);
      for (let k = 0; k < count; ++k)
        for (const c of [k, (k + 1) % count])
          rim.setXYZ(ends++, corners[3 * c], corners[3 * c + 1], corners[3 * c + 2]);
    }
    this.idle.end();
    this.used.end();
    this.rims.geometry.setDrawRange(0, ends);
    rim.needsUpdate = true;
    this.showRegions(regions);
  }

  private showPoints(hands: Hand[], regions: Region[]): void {
    this.points.count = Math.min(16, regions.length > 0 ? hands.length : 0);
    const r = 0.03 * Math.max(...(regions[0]?.half ?? [0]));
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
