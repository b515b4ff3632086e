// The three-dimensional view: bodies, contacts, hands, lights and the camera.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { BodyView } from './bodies';
import { Colours } from './colours';
import { ContactView } from './contacts';
import { HandsView } from './hands';
import { Lenses } from './lens';
import { PatchView } from './patches';
import type { Frame, SceneInfo } from './protocol';

export class World {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.001, 100);
  readonly controls: OrbitControls;
  readonly contacts = new ContactView();
  readonly hands: HandsView;
  readonly colours = new Colours();
  readonly patches = new PatchView();
  readonly lenses: Lenses;
  bodies: BodyView[] = [];
  size = 0.1; // of what moves, metres
  private sun = new THREE.DirectionalLight(0xffffff, 2.2);
  private sky = new THREE.HemisphereLight(0xffffff, 0x8090a0, 1.4);
  private framed = false;
  private turned = false; // the visitor has moved the camera
  private reach = new THREE.Box3(); // what the picture should hold
  private from = new THREE.Vector3(0, 0, 1); // towards the camera
  private newest: Frame | null = null;
  following = false;
  private middle: THREE.Vector3 | null = null; // of what moves, when it was last followed
  private nextLook = 0; // ms
  private info: SceneInfo | null = null;
  private title = '';
  private software = drawsWithProcessor();
  needsRender = true;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.hands = new HandsView(canvas);
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !this.software, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = !this.software;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.sun, this.sun.target, this.sky, this.contacts.group, this.hands.group, this.patches.group);
    this.lenses = new Lenses(canvas);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => (this.needsRender = true));
    this.controls.addEventListener('start', () => (this.turned = true));
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
  }

  setScene(info: SceneInfo): void {
    for (const body of this.bodies) {
      this.scene.remove(body.group);
      body.dispose();
    }
    this.bodies = info.bodies.map((body, b) => new BodyView(body, b, this.software));
    for (const body of this.bodies) this.scene.add(body.group);
    this.framed = this.framed && this.title === info.title; // started again: the camera stays
    this.title = info.title;
    this.info = info;
    if (this.framed) this.hands.rebuild(info.devices, this.size);
    this.colours.reset();
  }

  /** `still`: the camera must not move, because the visitor drags something. */
  show(frame: Frame, still: boolean): void {
    for (const update of frame.bodies) this.bodies[update.index]?.update(update);
    this.colours.show(this.bodies, frame.colours, performance.now());
    this.newest = frame;
    if (!this.framed && this.bodies.every((b) => b.seen)) this.frameAll();
    if (this.framed && !still) this.follow();
    if (this.framed && !still && performance.now() > this.nextLook) this.keepInView();
    this.contacts.update(frame.contacts);
    this.hands.update(frame.hands, this.camera);
    this.patches.update(frame.patches, frame.regions, frame.hands);
    this.lenses.update(frame, this.camera);
    this.needsRender = true;
  }

  /** Everything that moves in the picture, seen from a helpful side. */
  frameAll(): void {
    if (!this.newest) return;
    const { all, moving } = this.boxes();
    if (moving.isEmpty()) return;
    // Obstacles count as far as they are near; to a tool that is a point, a good part of them is.
    const size = moving.getSize(new THREE.Vector3());
    const whole = all.getSize(new THREE.Vector3()).length();
    const point = size.length() < 0.2 * whole;
    const near = moving.clone();
    if (point) near.expandByScalar(0.35 * whole);
    else near.expandByVector(size.clone().multiplyScalar(0.8));
    this.reach.copy(moving).union(all.intersect(near));
    if (point) this.reach.getSize(size).multiplyScalar(0.3);
    this.size = Math.max(1e-3, size.length());
    const centre = this.reach.getCenter(new THREE.Vector3());
    const up = this.upward(this.newest, centre);
    const look = this.lookAlong(size, up);
    const side = new THREE.Vector3().crossVectors(up, look);
    this.camera.up.copy(up);
    this.from.copy(look).addScaledVector(side, 0.45).addScaledVector(up, 0.4).normalize();
    this.fit();
    this.placeLights(centre, up, side, look, 0.5 * this.reach.getSize(new THREE.Vector3()).length());
    this.contacts.sceneSize = this.size;
    this.hands.rebuild(this.info?.devices ?? [], this.size);
    this.contacts.update(this.newest.contacts);
    this.hands.update(this.newest.hands, this.camera);
    this.framed = true;
    this.turned = false;
  }

  /** On request the camera goes where the middle of what moves goes. */
  private follow(): void {
    if (!this.following) {
      this.middle = null;
      return;
    }
    const middle = this.boxes().moving.getCenter(new THREE.Vector3());
    if (this.middle) {
      const way = middle.clone().sub(this.middle);
      this.camera.position.add(way);
      this.controls.target.add(way);
      this.reach.translate(way);
      this.controls.update();
    }
    this.middle = middle;
  }

  /** As long as the visitor has not turned the view: what leaves the picture widens it. */
  keepInView(): void {
    this.nextLook = performance.now() + 300;
    if (this.turned) return;
    const wider = this.reach.clone().union(this.boxes().moving);
    const limit = 4 * this.size; // what falls for ever is let go
    if (wider.equals(this.reach) || wider.getSize(new THREE.Vector3()).length() > limit) return;
    const corner = new THREE.Vector3();
    const outside = corners(wider).some((c) => {
      corner.copy(c).project(this.camera);
      return Math.max(Math.abs(corner.x), Math.abs(corner.y)) > 1;
    });
    if (!outside) return;
    this.reach.copy(wider);
    this.fit();
  }

  /** What moves (everything if nothing does) with the hands, and all bodies. */
  private boxes(): { all: THREE.Box3; moving: THREE.Box3 } {
    const moving = new THREE.Box3();
    const all = new THREE.Box3();
    for (const body of this.bodies) {
      body.box(all);
      if (body.info.movable) body.box(moving);
    }
    if (moving.isEmpty()) moving.copy(all);
    for (const hand of this.newest?.hands ?? []) moving.expandByPoint(new THREE.Vector3().fromArray(hand.position));
    return { all, moving };
  }

  /** As near as the corners of `reach` allow, from the present side. */
  private fit(): void {
    const centre = this.reach.getCenter(new THREE.Vector3());
    const right = new THREE.Vector3().crossVectors(this.camera.up, this.from).normalize();
    const top = new THREE.Vector3().crossVectors(this.from, right);
    const half = 0.94 * Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 0;
    for (const corner of corners(this.reach)) {
      corner.sub(centre);
      const across = Math.max(Math.abs(corner.dot(right)) / this.camera.aspect, Math.abs(corner.dot(top)));
      distance = Math.max(distance, corner.dot(this.from) + across / half);
    }
    this.camera.position.copy(centre).addScaledVector(this.from, distance);
    this.camera.near = distance / 100;
    this.camera.far = distance * 20;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
    this.needsRender = true;
  }

  /** For a headset, whose axes are x right, y up, z towards the visitor: what moves at `place`, `width` wide. */
  putOn(place: THREE.Vector3, width: number): void {
    const up = this.camera.up.clone().normalize();
    const towards = this.from.clone().addScaledVector(up, -this.from.dot(up)).normalize();
    const right = new THREE.Vector3().crossVectors(up, towards);
    const scale = width / this.size;
    this.scene.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(right, up, towards)).invert();
    this.scene.scale.setScalar(scale);
    const centre = this.reach.getCenter(new THREE.Vector3()).multiplyScalar(scale).applyQuaternion(this.scene.quaternion);
    this.scene.position.copy(place).sub(centre);
    this.scene.updateMatrixWorld(true);
    this.sun.castShadow = false; // its box is in the scene's metres
  }

  /** Back to the page. */
  takeBack(): void {
    this.scene.position.setScalar(0);
    this.scene.quaternion.identity();
    this.scene.scale.setScalar(1);
    this.scene.updateMatrixWorld(true);
    this.sun.castShadow = true;
    this.resize();
  }

  theme(dark: boolean): void {
    this.scene.background = new THREE.Color(dark ? 0x12161c : 0xeef2f6);
    this.sky.intensity = dark ? 1.1 : 1.6;
    this.needsRender = true;
  }

  /** Whether there was anything new to draw. */
  render(): boolean {
    if (!this.needsRender) return false;
    this.needsRender = false;
    this.renderer.render(this.scene, this.camera);
    this.hands.placeLabels(this.camera);
    // The markers have the size of the scene: in a lens they would hide what it is for.
    const marks = [this.hands.group, this.contacts.group].filter((group) => group.visible);
    for (const group of marks) group.visible = false;
    this.patches.points.visible = true;
    this.lenses.render(this.renderer, this.scene);
    this.patches.points.visible = false;
    for (const group of marks) group.visible = true;
    return true;
  }

  /** Against gravity; without it, from the things towards the hand, as measured by the things. */
  private upward(frame: Frame, centre: THREE.Vector3): THREE.Vector3 {
    const g = new THREE.Vector3().fromArray(this.info?.gravity ?? [0, 0, -9.81]);
    if (g.length() > 1e-6) return g.negate().normalize();
    const hand = frame.hands[0];
    if (!hand) return new THREE.Vector3(0, 0, 1);
    const things = this.reach.getSize(new THREE.Vector3()).addScalar(1e-6);
    return dominantAxis(new THREE.Vector3().fromArray(hand.position).sub(centre).divide(things));
  }

  /** Towards the viewer: the axis along which what moves is thinnest, so that its widest face is seen. */
  private lookAlong(size: THREE.Vector3, up: THREE.Vector3): THREE.Vector3 {
    const axes = [new THREE.Vector3(0, -1, 0), new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 0, 1)];
    const level = axes.filter((a) => Math.abs(a.dot(up)) < 0.5);
    const extent = (a: THREE.Vector3) => Math.abs(a.dot(size));
    return level.reduce((best, a) => (extent(a) < 0.8 * extent(best) ? a : best)).clone();
  }

  private placeLights(
    centre: THREE.Vector3,
    up: THREE.Vector3,
    side: THREE.Vector3,
    look: THREE.Vector3,
    radius: number,
  ): void {
    this.sky.position.copy(up);
    this.sun.position
      .copy(centre)
      .addScaledVector(up, 3 * radius)
      .addScaledVector(side, -1.5 * radius)
      .addScaledVector(look, 2 * radius);
    this.sun.target.position.copy(centre);
    const shadow = this.sun.shadow.camera;
    shadow.left = shadow.bottom = -1.3 * radius;
    shadow.right = shadow.top = 1.3 * radius;
    shadow.near = 0.1 * radius;
    shadow.far = 8 * radius;
    shadow.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.01 * radius;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    if (!width || !height) return;
    this.renderer.setPixelRatio(this.software ? 1 : Math.min(2, devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.framed && !this.turned) this.fit();
    this.needsRender = true;
  }
}

const corners = (box: THREE.Box3): THREE.Vector3[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((k) => {
    const pick = (bit: number, axis: 'x' | 'y' | 'z') => (k & bit ? box.max[axis] : box.min[axis]);
    return new THREE.Vector3(pick(1, 'x'), pick(2, 'y'), pick(4, 'z'));
  });

function dominantAxis(v: THREE.Vector3): THREE.Vector3 {
  const size = [Math.abs(v.x), Math.abs(v.y), Math.abs(v.z)];
  const k = size.indexOf(Math.max(...size));
  return new THREE.Vector3().setComponent(k, Math.sign(v.getComponent(k)) || 1);
}

/** A machine without a graphics card: no shadows, reflections, smooth edges or double resolution. */
function drawsWithProcessor(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const software = info ? /swiftshader|llvmpipe|software/i.test(String(gl!.getParameter(info.UNMASKED_RENDERER_WEBGL))) : false;
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return software;
}
