// Tells systemd that the service is ready, as a unit of Type=notify waits for: one datagram to the socket that NOTIFY_SOCKET names
// (sd_notify(3)). The runtime has no datagram sockets of this kind, so libc is called.
import { dlopen, FFIType, ptr } from 'bun:ffi'

const afUnix = 1
const sockDgram = 2
/** Of sun_path in sockaddr_un. */
const maxPath = 108

/** Sends `state`, such as `READY=1`; does nothing where no service manager waits. Answers whether it was sent. */
export function notifyServiceManager(socket: string | undefined, state: string): boolean {
  if (!socket || process.platform !== 'linux' || socket.length >= maxPath || !/^[/@]/.test(socket))
    return false
  const libc = dlopen('libc.so.6', {
    socket: { args: [FFIType.i32, FFIType.i32, FFIType.i32], returns: FFIType.i32 },
    sendto: {
      args: [FFIType.i32, FFIType.ptr, FFIType.u64, FFIType.i32, FFIType.ptr, FFIType.u32],
      returns: FFIType.i64,
    },
    close: { args: [FFIType.i32], returns: FFIType.i32 },
  })
  try {
    // An abstract socket is written with @ and has a zero there.
    const path = Buffer.from(socket.replace(/^@/, '\0'))
    const address = Buffer.concat([Buffer.from(new Uint16Array([afUnix]).buffer), path])
    const message = Buffer.from(state)
    const handle = libc.symbols.socket(afUnix, sockDgram, 0)
    if (handle < 0) return false
    const sent = libc.symbols.sendto(handle, ptr(message), message.length, 0, ptr(address), address.length)
    libc.symbols.close(handle)
    return Number(sent) === message.length
  } finally {
    libc.close()
  }
}
