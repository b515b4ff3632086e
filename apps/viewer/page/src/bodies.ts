// The bodies' skins: surfaces, beams as tubes, points as balls.
import * as THREE from 'three';
import { computeNormals, splitAtCreases, type Corners } from './creases';
import type { BodyInfo, BodyUpdate } from './protocol';

const palette = [0x2f83c5, 0xe08a3c, 0x4caf72, 0xb65fcf, 0xd1495b, 0x8d99ae];
const still = 0x9aa5b1;
const grey = 0xa9b0b8; // where there is no value

type SkinMaterial = THREE.MeshStandardMaterial | THREE.MeshLambertMaterial;

export class BodyView {
  readonly group = new THREE.Group();
  readonly positions: Float32Array; // of the skin's vertices
  seen = false;
  private surface: THREE.Mesh<THREE.BufferGeometry, SkinMaterial> | null = null;
  private corners: Corners | null = null;
  private tubes: THREE.InstancedMesh | null = null;
  private balls: THREE.InstancedMesh | null = null;
  private material: SkinMaterial;
  private colour: number;

  constructor(
    readonly info: BodyInfo,
    index: number,
    plain: boolean, // without reflections: what a processor can draw
  ) {
    this.positions = new Float32Array(3 * info.vertices);
    this.colour = info.movable ? palette[index % palette.length] : still;
    const look = { color: this.colour, side: THREE.DoubleSide };
    this.material = plain
      ? new THREE.MeshLambertMaterial(look)
      : new THREE.MeshStandardMaterial({ ...look, roughness: 0.55, metalness: 0.05 });
    this.group.name = info.name;
  }

  update(update: BodyUpdate): void {
    const { low, size, fractions } = update;
    const x = this.positions;
    const sx = size[0] / 65535;
    const sy = size[1] / 65535;
    const sz = size[2] / 65535;
    for (let i = 0; i < x.length; i += 3) {
      x[i] = low[0] + sx * fractions[i];
      x[i + 1] = low[1] + sy * fractions[i + 1];
      x[i + 2] = low[2] + sz * fractions[i + 2];
    }
    if (!this.seen) this.build();
    this.seen = true;
    if (this.surface) this.moveSurface();
    if (this.tubes || this.balls) this.moveTubes();
  }

  set wireframe(on: boolean) {
    this.material.wireframe = on;
  }

  colourPlain(): void {
    this.paint(this.colour, null);
  }
  colourGrey(): void {
    this.paint(grey, null);
  }
  /** By the value of every vertex of the skin, times `scale`: 0 to 1 along the map. */
  colourBy(values: Uint16Array, scale: number, map: THREE.Texture): void {
    if (!this.surface || values.length !== this.info.vertices) return this.colourGrey();
    const { source } = this.corners!;
    const uv = this.surface.geometry.attributes.uv;
    // From the middle of the first colour to that of the last, between which the map is interpolated.
    const width = map.image.width as number;
    for (let c = 0; c < source.length; ++c) uv.setX(c, (0.5 + (width - 1) * Math.min(1, scale * values[source[c]])) / width);
    uv.needsUpdate = true;
    this.paint(0xffffff, map);
  }
  private paint(colour: number, map: THREE.Texture | null): void {
    this.material.color.setHex(colour);
    if (this.material.map === map) return;
    this.material.map = map;
    this.material.needsUpdate = true;
  }

  box(into: THREE.Box3): THREE.Box3 {
    const p = new THREE.Vector3();
    for (let i = 0; i < this.positions.length; i += 3)
      into.expandByPoint(p.fromArray(this.positions, i));
    return into;
  }

  dispose(): void {
    this.surface?.geometry.dispose();
    this.tubes?.geometry.dispose();
    this.balls?.geometry.dispose();
    this.material.dispose();
  }

  /** The first positions tell where the creases are. */
  private build(): void {
    const { triangles, segments, vertices, radius } = this.info;
    if (triangles.length > 0) {
      this.corners = splitAtCreases(this.positions, triangles);
      const count = 3 * this.corners.source.length;
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(count), 3));
      geometry.setAttribute('normal', new THREE.BufferAttribute(new Float32Array(count), 3));
      geometry.setAttribute('uv', new THREE.BufferAttribute(new Float32Array(2 * this.corners.source.length), 2));
      geometry.setIndex(new THREE.BufferAttribute(this.corners.index, 1));
      this.surface = new THREE.Mesh(geometry, this.material);
      this.surface.frustumCulled = false;
      this.surface.castShadow = this.info.movable;
      this.surface.receiveShadow = true;
      this.group.add(this.surface);
      return;
    }
    const thick = radius > 0 ? radius : 0.001;
    if (segments.length > 0) {
      const tube = new THREE.CylinderGeometry(thick, thick, 1, 16, 1, true);
      this.tubes = new THREE.InstancedMesh(tube, this.material, segments.length / 2);
    }
    this.balls = new THREE.InstancedMesh(new THREE.SphereGeometry(thick, 16, 12), this.material, vertices);
    for (const part of [this.tubes, this.balls])
      if (part) {
        part.frustumCulled = false;
        part.castShadow = true;
        this.group.add(part);
      }
  }

  private moveSurface(): void {
    const { source, index } = this.corners!;
    const geometry = this.surface!.geometry;
    const to = geometry.attributes.position.array as Float32Array;
    for (let c = 0; c < source.length; ++c) {
      const from = 3 * source[c];
      to[3 * c] = this.positions[from];
      to[3 * c + 1] = this.positions[from + 1];
      to[3 * c + 2] = this.positions[from + 2];
    }
    computeNormals(to, index, geometry.attributes.normal.array as Float32Array);
    geometry.attributes.position.needsUpdate = true;
    geometry.attributes.normal.needsUpdate = true;
    geometry.boundingSphere = null; // rays ask for a new one
  }

  private moveTubes(): void {
    const x = this.positions;
    const matrix = new THREE.Matrix4();
    if (this.tubes) {
      const s = this.info.segments;
      for (let i = 0; i < s.length; i += 2) {
        tubeBetween(matrix, x, 3 * s[i], 3 * s[i + 1]);
        this.tubes.setMatrixAt(i / 2, matrix);
      }
      this.tubes.instanceMatrix.needsUpdate = true;
      this.tubes.boundingSphere = null;
    }
    for (let v = 0; v < x.length; v += 3)
      this.balls!.setMatrixAt(v / 3, matrix.makeTranslation(x[v], x[v + 1], x[v + 2]));
    this.balls!.instanceMatrix.needsUpdate = true;
    this.balls!.boundingSphere = null;
  }
}

const up = new THREE.Vector3(0, 1, 0);
const a = new THREE.Vector3();
const b = new THREE.Vector3();
const turn = new THREE.Quaternion();
const scale = new THREE.Vector3();

function tubeBetween(out: THREE.Matrix4, x: Float32Array, i: number, j: number): void {
  a.fromArray(x, i);
  b.fromArray(x, j);
  const length = a.distanceTo(b);
  scale.set(1, Math.max(length, 1e-9), 1);
  const middle = a.clone().add(b).multiplyScalar(0.5);
  turn.setFromUnitVectors(up, b.sub(a).normalize());
  out.compose(middle, turn, scale);
}
