// The WebSocket to the server; comes back by itself when the server does.

export interface Listener {
  message(data: ArrayBuffer): void;
  notice(kind: string, notice: { text?: string; values?: number[] }): void;
  state(connected: boolean): void;
}

/** Everything after the question mark: the token, if there is one, goes wherever we go. */
export const query = location.search;

export class Connection {
  private socket: WebSocket | null = null;
  private wait = 250;

  constructor(private listener: Listener) {
    this.open();
  }

  get connected(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  send(command: object): void {
    if (this.connected) this.socket!.send(JSON.stringify(command));
  }

  private open(): void {
    const address = new URL('live' + query, location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 250;
      this.listener.state(true);
    };
    socket.onmessage = (event) => {
      if (event.data instanceof ArrayBuffer) return this.listener.message(event.data);
      const notice = JSON.parse(event.data);
      this.listener.notice(notice.notice, notice);
    };
    socket.onclose = () => {
      this.listener.state(false);
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, 4000);
    };
  }
}
