// A skin drawn smooth where it is round and sharp where it has edges: a vertex is doubled where the faces around
// it point in different directions.

export interface Corners {
  source: Uint32Array; // the skin's vertex behind each drawn vertex
  index: Uint32Array; // triangles of drawn vertices
}

const sharp = Math.cos((40 * Math.PI) / 180);

export function splitAtCreases(positions: Float32Array, triangles: Uint32Array): Corners {
  const source: number[] = [];
  const normals: number[][] = []; // of the first face of each drawn vertex
  const drawn: number[][] = []; // drawn vertices of each vertex of the skin
  const index = new Uint32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const n = faceNormal(positions, triangles, t);
    for (let k = 0; k < 3; ++k) {
      const vertex = triangles[t + k];
      const candidates = (drawn[vertex] ??= []);
      let corner = candidates.find((c) => dot(normals[c], n) > sharp);
      if (corner === undefined) {
        corner = source.length;
        source.push(vertex);
        normals.push(n);
        candidates.push(corner);
      }
      index[t + k] = corner;
    }
  }
  return { source: Uint32Array.from(source), index };
}

const dot = (a: number[], b: number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function faceNormal(x: Float32Array, triangles: Uint32Array, t: number): number[] {
  const a = 3 * triangles[t];
  const b = 3 * triangles[t + 1];
  const c = 3 * triangles[t + 2];
  const ux = x[b] - x[a];
  const uy = x[b + 1] - x[a + 1];
  const uz = x[b + 2] - x[a + 2];
  const vx = x[c] - x[a];
  const vy = x[c + 1] - x[a + 1];
  const vz = x[c + 2] - x[a + 2];
  const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(n[0], n[1], n[2]) || 1;
  return [n[0] / length, n[1] / length, n[2] / length];
}

/** Area-weighted normals of the drawn vertices, not normalised: the shader does that. */
export function computeNormals(x: Float32Array, index: Uint32Array, out: Float32Array): void {
  out.fill(0);
  for (let t = 0; t < index.length; t += 3) {
    const a = 3 * index[t];
    const b = 3 * index[t + 1];
    const c = 3 * index[t + 2];
    const ux = x[b] - x[a];
    const uy = x[b + 1] - x[a + 1];
    const uz = x[b + 2] - x[a + 2];
    const vx = x[c] - x[a];
    const vy = x[c + 1] - x[a + 1];
    const vz = x[c + 2] - x[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    out[a] += nx;
    out[a + 1] += ny;
    out[a + 2] += nz;
    out[b] += nx;
    out[b + 1] += ny;
    out[b + 2] += nz;
    out[c] += nx;
    out[c + 1] += ny;
    out[c + 2] += nz;
  }
}
