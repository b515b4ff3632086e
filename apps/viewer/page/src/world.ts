// The three-dimensional view: bodies, contacts, hands, lights and the camera.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { BodyView } from './bodies';
import { ContactView } from './contacts';
import { HandsView } from './hands';
import type { Frame, SceneInfo } from './protocol';

export class World {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.001, 100);
  readonly controls: OrbitControls;
  readonly contacts = new ContactView();
  readonly hands = new HandsView();
  bodies: BodyView[] = [];
  size = 0.1; // of what moves, metres
  private sun = new THREE.DirectionalLight(0xffffff, 2.2);
  private sky = new THREE.HemisphereLight(0xffffff, 0x8090a0, 1.4);
  private framed = false;
  private info: SceneInfo | null = null;
  private title = '';
  needsRender = true;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = !isSoftware(this.renderer);
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.sun, this.sun.target, this.sky, this.contacts.group, this.hands.group);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => (this.needsRender = true));
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
  }

  setScene(info: SceneInfo): void {
    for (const body of this.bodies) {
      this.scene.remove(body.group);
      body.dispose();
    }
    this.bodies = info.bodies.map((body, b) => new BodyView(body, b));
    for (const body of this.bodies) this.scene.add(body.group);
    this.framed = this.framed && this.title === info.title; // started again: the camera stays
    this.title = info.title;
    this.info = info;
    if (this.framed) this.hands.rebuild(info.devices.length, this.size);
  }

  show(frame: Frame): void {
    for (const update of frame.bodies) this.bodies[update.index]?.update(update);
    if (!this.framed && this.bodies.every((b) => b.seen)) this.frameAll(frame);
    this.contacts.update(frame.contacts);
    this.hands.update(frame.hands, this.camera);
    this.needsRender = true;
  }

  /** Everything that moves in the picture, seen from a helpful side. */
  frameAll(frame: Frame): void {
    const moving = new THREE.Box3();
    const all = new THREE.Box3();
    for (const body of this.bodies) {
      body.box(all);
      if (body.info.movable) body.box(moving);
    }
    const box = moving.isEmpty() ? all.clone() : moving.clone();
    if (box.isEmpty()) return;
    for (const hand of frame.hands) box.expandByPoint(new THREE.Vector3().fromArray(hand.position));
    const size = box.getSize(new THREE.Vector3());
    // Obstacles count as far as they are near.
    const near = box.clone().expandByVector(size.clone().multiplyScalar(0.8));
    box.union(all.isEmpty() ? near : all.intersect(near));
    this.size = Math.max(1e-3, size.length());
    const centre = box.getCenter(new THREE.Vector3());
    const radius = 0.5 * box.getSize(new THREE.Vector3()).length();

    const up = this.upward(frame, centre);
    const look = this.lookAlong(size, up);
    const side = new THREE.Vector3().crossVectors(up, look);
    const from = look.clone().addScaledVector(side, 0.45).addScaledVector(up, 0.4).normalize();
    const fit = Math.min(1, this.camera.aspect);
    const distance = (0.92 * radius) / Math.sin((this.camera.fov * Math.PI) / 360) / fit;
    this.camera.up.copy(up);
    this.camera.position.copy(centre).addScaledVector(from, distance);
    this.camera.near = distance / 100;
    this.camera.far = distance * 20;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
    this.placeLights(centre, up, side, look, radius);
    this.contacts.sceneSize = this.size;
    this.hands.rebuild(this.info?.devices.length ?? 0, this.size);
    this.framed = true;
    this.needsRender = true;
  }

  theme(dark: boolean): void {
    this.scene.background = new THREE.Color(dark ? 0x12161c : 0xeef2f6);
    this.sky.intensity = dark ? 1.1 : 1.6;
    this.needsRender = true;
  }

  render(): void {
    if (!this.needsRender) return;
    this.needsRender = false;
    this.renderer.render(this.scene, this.camera);
  }

  /** Against gravity; without it, from the things towards the hand. */
  private upward(frame: Frame, centre: THREE.Vector3): THREE.Vector3 {
    const g = new THREE.Vector3().fromArray(this.info?.gravity ?? [0, 0, -9.81]);
    if (g.length() > 1e-6) return g.negate().normalize();
    const hand = frame.hands[0];
    const way = hand ? new THREE.Vector3().fromArray(hand.position).sub(centre) : new THREE.Vector3(0, 0, 1);
    return dominantAxis(way);
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
    this.renderer.setPixelRatio(isSoftware(this.renderer) ? 1 : Math.min(2, devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.needsRender = true;
  }
}

function dominantAxis(v: THREE.Vector3): THREE.Vector3 {
  const size = [Math.abs(v.x), Math.abs(v.y), Math.abs(v.z)];
  const k = size.indexOf(Math.max(...size));
  return new THREE.Vector3().setComponent(k, Math.sign(v.getComponent(k)) || 1);
}

/** A machine without a graphics card: no shadows, no double resolution. */
function isSoftware(renderer: THREE.WebGLRenderer): boolean {
  const gl = renderer.getContext();
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  return info ? /swiftshader|llvmpipe|software/i.test(String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL))) : false;
}
