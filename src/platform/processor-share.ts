// How willingly a thread of ours, or a process of the built-in server, leaves the processors to others.
import { dlopen, FFIType, ptr } from 'bun:ffi'
import { setPriority } from 'node:os'

/** By architecture, of sched_setattr(2), which few C libraries offer by name. */
const callNumbers: Record<string, number> = { x64: 314, arm64: 274 }

/** The system's own slices are of 1 to 4 milliseconds. */
const longSliceNs = 50_000_000n

/** Who stands back less than this holds what others wait for, and should be done with it soon. */
const longSlicesFrom = 10

/**
 * Lowers it to this level of nice(1), which leaves more of the time to others, and from level 10 on gives it long slices of what is left: since Linux
 * 6.12 whoever wakes up takes the processor at once from one with longer slices than its own, and before that waits for the end of a slice.
 * `id` 0 is the calling thread. Throws where the level is not allowed, or nothing has that id any more.
 */
export function lowerPriority(id: number, level: number): void {
  setPriority(id, level)
  if (process.platform === 'linux' && level >= longSlicesFrom) lengthenSlices(id, level)
}

const openLibrary = () =>
  dlopen('libc.so.6', {
    syscall: { args: [FFIType.i64, FFIType.i64, FFIType.ptr, FFIType.u64], returns: FFIType.i64 },
  })
/** Opening it takes a millisecond, and the engine's compilers are asked again each second. */
let library: ReturnType<typeof openLibrary> | undefined

const keepPolicy = 8n

function lengthenSlices(id: number, level: number): void {
  const call = callNumbers[process.arch]
  if (call === undefined) return
  // struct sched_attr: size, policy, flags, nice, priority, runtime, deadline, period.
  const attributes = new DataView(new ArrayBuffer(48))
  attributes.setUint32(0, attributes.byteLength, true)
  attributes.setBigUint64(8, keepPolicy, true)
  attributes.setInt32(16, level, true)
  attributes.setBigUint64(24, longSliceNs, true)
  try {
    library ??= openLibrary()
    library.symbols.syscall(call, id, ptr(attributes), 0)
  } catch {
    // Another C library: the slices stay.
  }
}
