// Server settings of the built-in PostgreSQL, derived from the size of the machine. Durable unless a test asks for a throw-away server.

export interface MachineMemory {
  memoryBytes: number
  /** Free and used bytes that POSIX shared memory may take together; undefined if there is no such file system. */
  sharedMemoryBytes?: number
}

export interface SettingsOptions {
  /** Connections the clients may open together. */
  maxConnections: number
  /** False trades safety for speed: a crash of the machine may lose or damage everything. */
  durable: boolean
  /** Further or other settings, by the server's own names. */
  overrides?: Record<string, string>
}

const megabyte = 1024 * 1024

/** Settings by name; sizes in megabytes. */
export function serverSettings(machine: MachineMemory, options: SettingsOptions): Record<string, string> {
  return {
    ...memorySettings(machine, options.maxConnections),
    ...fixedSettings,
    dynamic_shared_memory_type: sharedMemoryType(machine),
    ...(options.durable ? durableSettings : throwAwaySettings),
    ...options.overrides,
  }
}

/** A container's /dev/shm is 64 MB by default, too small for one parallel hash join; System V segments have no such limit. */
function sharedMemoryType(machine: MachineMemory): string {
  const bytes = machine.sharedMemoryBytes
  return bytes !== undefined && bytes < 256 * megabyte ? 'sysv' : 'posix'
}

function memorySettings(machine: MachineMemory, maxConnections: number): Record<string, string> {
  const total = machine.memoryBytes / megabyte
  return {
    // A few more connections than the clients' pools, for an operator with a shell and for restarts that overlap.
    max_connections: String(maxConnections + 5),
    shared_buffers: megabytes(total / 8, 32, 1024),
    effective_cache_size: megabytes(total / 2, 64, 65_536),
    maintenance_work_mem: megabytes(total / 32, 16, 256),
    work_mem: megabytes(total / 8 / maxConnections, 4, 32),
  }
}

function megabytes(wanted: number, least: number, most: number): string {
  return `${Math.round(Math.min(most, Math.max(least, wanted)))}MB`
}

const fixedSettings: Record<string, string> = {
  listen_addresses: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // The package is built without LLVM.
  jit: 'off',
  // Nobody replicates over a private socket, and the smaller log is cheaper.
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_compression: 'on',
  random_page_cost: '1.1',
  // Queue tables turn over quickly; the default of a fifth of the table comes too late.
  autovacuum_vacuum_scale_factor: '0.05',
  // Each look costs a process, even where nothing has happened: half a percent of a core at 15 s.
  autovacuum_naptime: '30s',
  // The background writer looks through the whole cache in two minutes, whether anything happens or not. In fewer and longer steps it wakes up
  // a fifth as often, and may write as much.
  bgwriter_delay: '1s',
  bgwriter_lru_maxpages: '500',
  // Statements and row values of ordinary errors stay out of the log: they hold addresses and bodies.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_line_prefix: '',
  log_destination: 'stderr',
  logging_collector: 'off',
}

const durableSettings: Record<string, string> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
}

const throwAwaySettings: Record<string, string> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
}
