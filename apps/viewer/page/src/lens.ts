// A magnified view of the neighbourhood of each point tool: patches are often a millimetre wide. Looks down on
// the patch that carries, a little from the side of the main camera.
import * as THREE from 'three';
import { Use, type Frame, type Region } from './protocol';

const most = 2;

class Lens {
  readonly frame = document.createElement('div');
  readonly camera = new THREE.PerspectiveCamera(30, 1, 1e-4, 1);
  private from = new THREE.Vector3();

  constructor() {
    this.frame.className = 'lens';
    this.frame.hidden = true;
  }

  /** `ahead`: towards the main camera; `out`: normal of the loaded patch, zero if there is none. */
  aim(region: Region, ahead: THREE.Vector3, out: THREE.Vector3, up: THREE.Vector3): void {
    const wanted = out.clone().multiplyScalar(2.5).add(ahead);
    if (wanted.lengthSq() < 0.05) wanted.addScaledVector(up, 1); // straight from behind
    this.from.lerp(wanted.normalize(), this.from.lengthSq() > 0 ? 0.15 : 1).normalize();
    const half = new THREE.Vector3().fromArray(region.half).length();
    const distance = (1.15 * half) / Math.tan((this.camera.fov * Math.PI) / 360);
    const centre = new THREE.Vector3().fromArray(region.centre);
    this.camera.up.copy(up);
    this.camera.position.copy(centre).addScaledVector(this.from, distance);
    this.camera.near = distance - 1.1 * half; // what is in front of the region would hide it
    this.camera.far = distance + 30 * half;
    this.camera.lookAt(centre);
    this.camera.updateProjectionMatrix();
  }
}

export class Lenses {
  private lenses = Array.from({ length: most }, () => new Lens());
  visible = true;

  constructor(private canvas: HTMLCanvasElement) {
    const place = document.createElement('div');
    place.id = 'lenses';
    place.setAttribute('aria-hidden', 'true'); // nothing that the view does not hold
    place.append(...this.lenses.map((lens) => lens.frame));
    canvas.parentElement!.append(place);
  }

  update(frame: Frame, camera: THREE.Camera): void {
    const ahead = camera.getWorldDirection(new THREE.Vector3()).negate();
    this.lenses.forEach((lens, k) => {
      const region = this.visible ? frame.regions[k] : undefined;
      lens.frame.hidden = region === undefined;
      if (!region) return;
      const out = new THREE.Vector3();
      for (const patch of frame.patches)
        if (patch.use === Use.carries && patch.proxy === region.proxy) out.add(new THREE.Vector3().fromArray(patch.normal));
      lens.aim(region, ahead, out.normalize(), camera.up);
    });
  }

  render(renderer: THREE.WebGLRenderer, scene: THREE.Scene): void {
    const view = this.canvas.getBoundingClientRect();
    for (const lens of this.lenses) {
      if (lens.frame.hidden) continue;
      const box = lens.frame.getBoundingClientRect();
      const place = [box.left - view.left, view.bottom - box.bottom, box.width, box.height] as const;
      renderer.setScissorTest(true);
      renderer.setViewport(...place);
      renderer.setScissor(...place);
      renderer.render(scene, lens.camera);
    }
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, view.width, view.height);
  }
}
