// The server's messages (apps/viewer/README.md), decoded. Numbers are little-endian; positions are 16-bit
// fractions of a body's box.

export interface BodyInfo {
  name: string;
  movable: boolean;
  vertices: number;
  triangles: Uint32Array;
  segments: Uint32Array;
  radius: number;
}

export interface SliderInfo {
  kind: string;
  label: string;
  unit: string;
  value: number;
  least: number;
  most: number;
  logarithmic: boolean;
  heavy: boolean;
}

export interface SceneInfo {
  generation: number;
  title: string;
  scene: number;
  scenes: string[];
  devices: string[];
  kinds?: string[]; // of the devices; older recordings have none
  note: string;
  description?: string; // older recordings have none
  gravity: [number, number, number];
  samples: string[];
  bodies: BodyInfo[];
  sliders: SliderInfo[];
}

export interface BodyUpdate {
  index: number;
  low: Float32Array;
  size: Float32Array;
  fractions: Uint16Array;
}

/** Values at the vertices of a body's skin: fractions of 65535 of the largest. */
export interface ColourUpdate {
  index: number;
  quantity: number;
  most: number;
  fractions: Uint16Array;
}

export enum Touch {
  open,
  stick,
  slip,
  joint,
}

export interface Contact {
  at: Float32Array;
  normal: Float32Array;
  force: Float32Array;
  mu: number;
  touch: Touch;
}

export interface Hand {
  position: Float32Array;
  orientation: Float32Array;
  gripPosition: Float32Array;
  gripOrientation: Float32Array;
  force: Float32Array;
  torque: Float32Array;
  body: number;
  taken: boolean;
}

export enum Use {
  idle,
  chosen,
  carries,
}

export interface Patch {
  at: Float32Array;
  normal: Float32Array;
  use: Use;
  proxy: number;
  /** The convex outline, x y z of one corner after the other. */
  corners: Float32Array;
}

export interface Region {
  centre: Float32Array;
  half: Float32Array;
  proxy: number;
  holds: boolean;
}

export interface Delassus {
  contacts: number;
  side: number;
  cells: Uint8Array;
}

export interface Frame {
  generation: number;
  serial: number;
  playing: boolean;
  failed: boolean;
  time: number;
  step: number;
  speed: number;
  rate: number;
  bodies: BodyUpdate[];
  colours: ColourUpdate[];
  contacts: Contact[];
  hands: Hand[];
  patches: Patch[];
  regions: Region[];
  samples: Float32Array | null;
  delassus: Delassus | null;
}

const letters = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

/** "SCEN" or "FRAM"; empty for anything else. */
export function kindOf(message: ArrayBuffer): string {
  return message.byteLength >= 8 ? letters(new DataView(message), 0) : '';
}

export function decodeScene(message: ArrayBuffer): SceneInfo {
  const length = new DataView(message).getUint32(4, true);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(message, 8, length)));
  let at = 8 + ((length + 3) & ~3);
  for (const body of json.bodies) {
    const triangles = new Uint32Array(message, at, 3 * body.triangles);
    at += triangles.byteLength;
    const segments = new Uint32Array(message, at, 2 * body.segments);
    at += segments.byteLength;
    body.triangles = triangles;
    body.segments = segments;
  }
  return json;
}

const floats = (message: ArrayBuffer, at: number, count: number) => new Float32Array(message, at, count);

function decodeContacts(message: ArrayBuffer, begin: number, length: number): Contact[] {
  const view = new DataView(message);
  const contacts: Contact[] = [];
  for (let at = begin; at + 52 <= begin + length; at += 52)
    contacts.push({
      at: floats(message, at, 3),
      normal: floats(message, at + 12, 3),
      force: floats(message, at + 24, 3),
      mu: view.getFloat32(at + 36, true),
      touch: view.getUint32(at + 40, true),
    });
  return contacts;
}

function decodeHands(message: ArrayBuffer, begin: number, length: number): Hand[] {
  const view = new DataView(message);
  const hands: Hand[] = [];
  for (let at = begin; at + 88 <= begin + length; at += 88)
    hands.push({
      position: floats(message, at, 3),
      orientation: floats(message, at + 12, 4),
      gripPosition: floats(message, at + 28, 3),
      gripOrientation: floats(message, at + 40, 4),
      force: floats(message, at + 56, 3),
      torque: floats(message, at + 68, 3),
      body: view.getInt32(at + 80, true),
      taken: view.getUint32(at + 84, true) !== 0,
    });
  return hands;
}

function decodePatches(message: ArrayBuffer, begin: number, length: number): Patch[] {
  const view = new DataView(message);
  const patches: Patch[] = [];
  const head = 40;
  for (let at = begin; at + head <= begin + length; ) {
    const corners = view.getUint32(at + 36, true);
    if (at + head + 12 * corners > begin + length) break;
    patches.push({
      at: floats(message, at, 3),
      normal: floats(message, at + 12, 3),
      use: view.getUint32(at + 28, true),
      proxy: view.getUint32(at + 32, true),
      corners: floats(message, at + head, 3 * corners),
    });
    at += head + 12 * corners;
  }
  return patches;
}

function decodeRegions(message: ArrayBuffer, begin: number, length: number): Region[] {
  const view = new DataView(message);
  const regions: Region[] = [];
  for (let at = begin; at + 32 <= begin + length; at += 32)
    regions.push({
      centre: floats(message, at, 3),
      half: floats(message, at + 12, 3),
      proxy: view.getUint32(at + 24, true),
      holds: view.getUint32(at + 28, true) !== 0,
    });
  return regions;
}

export function decodeFrame(message: ArrayBuffer): Frame {
  const view = new DataView(message);
  const flags = view.getUint32(12, true);
  const frame: Frame = {
    generation: view.getUint32(4, true),
    serial: view.getUint32(8, true),
    playing: (flags & 1) !== 0,
    failed: (flags & 2) !== 0,
    time: view.getFloat64(16, true),
    step: view.getFloat64(24, true),
    speed: view.getFloat32(32, true),
    rate: view.getFloat32(36, true),
    bodies: [],
    colours: [],
    contacts: [],
    hands: [],
    patches: [],
    regions: [],
    samples: null,
    delassus: null,
  };
  for (let at = 40; at + 8 <= message.byteLength; ) {
    const name = letters(view, at);
    const length = view.getUint32(at + 4, true);
    const begin = at + 8;
    if (name === 'BODY')
      frame.bodies.push({
        index: view.getUint32(begin, true),
        low: floats(message, begin + 8, 3),
        size: floats(message, begin + 20, 3),
        fractions: new Uint16Array(message, begin + 32, 3 * view.getUint32(begin + 4, true)),
      });
    else if (name === 'COLR')
      frame.colours.push({
        index: view.getUint32(begin, true),
        quantity: view.getUint32(begin + 4, true),
        most: view.getFloat32(begin + 12, true),
        fractions: new Uint16Array(message, begin + 16, view.getUint32(begin + 8, true)),
      });
    else if (name === 'CNTC') frame.contacts = decodeContacts(message, begin, length);
    else if (name === 'HAND') frame.hands = decodeHands(message, begin, length);
    else if (name === 'PTCH') frame.patches = decodePatches(message, begin, length);
    else if (name === 'REGN') frame.regions = decodeRegions(message, begin, length);
    else if (name === 'SAMP') frame.samples = floats(message, begin, length / 4);
    else if (name === 'DELA')
      frame.delassus = {
        contacts: view.getInt32(begin, true),
        side: view.getInt32(begin + 4, true),
        cells: new Uint8Array(message, begin + 8, length - 8),
      };
    at = begin + ((length + 3) & ~3); // a section of a newer server is skipped
  }
  return frame;
}
