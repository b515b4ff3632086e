// In the page, before its own script: a headset with two controllers that a test moves, in the place of the browser's
// WebXR. Only what three.js asks for.
(() => {
  const identity = () => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const at = (x, y, z) => [...identity().slice(0, 12), x, y, z, 1];
  const pulses = [];
  const controllers = [0, 1].map((number) => ({
    matrix: at(number ? 0.3 : -0.3, 1.1, -0.4),
    source: {
      handedness: number ? 'right' : 'left',
      targetRayMode: 'tracked-pointer',
      targetRaySpace: { number },
      profiles: [],
      gamepad: { axes: [], buttons: [], hapticActuators: [{ pulse: (value, ms) => pulses.push({ number, value, ms }) }] },
    },
  }));
  const eye = { eye: 'left', transform: { matrix: at(0, 1.5, 0) } };
  // 90 degrees both ways, from 5 cm to 50 m.
  eye.projectionMatrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.002, -1, 0, 0, -0.1001, 0];
  const frame = {
    get session() {
      return fake.session;
    },
    getViewerPose: () => ({ views: [eye], transform: eye.transform }),
    getPose: (space) => ({ transform: { matrix: controllers[space.number].matrix }, emulatedPosition: false }),
  };
  class Session extends EventTarget {
    visibilityState = 'visible';
    renderState = {};
    enabledFeatures = [];
    updateRenderState(state) {
      Object.assign(this.renderState, state);
    }
    requestReferenceSpace = async () => ({});
    requestAnimationFrame = (draw) => window.requestAnimationFrame((now) => draw(now, frame));
    cancelAnimationFrame = (id) => window.cancelAnimationFrame(id);
    end = async () => this.dispatchEvent(new Event('end'));
    tell(type, more) {
      this.dispatchEvent(Object.assign(new Event(type), { frame, ...more }));
    }
  }
  window.XRWebGLBinding = undefined;
  window.XRWebGLLayer = class {
    framebuffer = null; // the canvas itself
    framebufferWidth = 600;
    framebufferHeight = 600;
    getViewport = () => ({ x: 0, y: 0, width: 600, height: 600 });
  };
  WebGL2RenderingContext.prototype.makeXRCompatible = async () => undefined;
  const fake = {
    pulses,
    holds: [], // what the page sends about its hands
    session: null,
    move(number, x, y, z) {
      const m = controllers[number].matrix;
      m[12] += x;
      m[13] += y;
      m[14] += z;
    },
    event: (number, type) => fake.session.tell(type, { inputSource: controllers[number].source }),
  };
  Object.defineProperty(navigator, 'xr', {
    value: {
      isSessionSupported: async (mode) => mode === 'immersive-vr',
      requestSession: async () => {
        fake.session = new Session();
        setTimeout(() => fake.session.tell('inputsourceschange', { added: controllers.map((c) => c.source), removed: [] }), 100);
        return fake.session;
      },
    },
  });
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    const message = JSON.parse(text);
    if (message.cmd === 'hold' || message.cmd === 'release') fake.holds.push(message);
    return send.call(this, text);
  };
  window.fakeHeadset = fake;
})();
