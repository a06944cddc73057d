// What breaks: two instances of the real program on one database, with a gate before the database, one before the relay, and a clock of
// its own for each instance.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type NameServer, startNameServer } from '../../test/support/name-server'
import { type Program, type ProgramOptions, startProgram } from '../../test/support/program'
import { type Database, startDatabase } from './database'
import { type Gate, openGate } from './gate'
import { type Relay, startRelay } from './relay'

const instanceCount = 2
/** Room for about a million messages, and small enough to be filled within moments. */
const diskMegabytes = 8_000
const fakeTime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'

export interface Instance {
  name: string
  program: Program
  /** Set while we end it ourselves. */
  isMeantToEnd: boolean
  environment: Record<string, string>
  clockFile: string
}

export interface World {
  folder: string
  random: () => number
  database: Database
  databaseGate: Gate
  relay: Relay
  relayGate: Gate
  names: NameServer
  instances: Instance[]
  /** Whether clocks can be moved. */
  hasClocks: boolean
  /** What nobody had asked for: an instance that ended, a fault that was not recovered from. */
  unexpected: string[]
  stop(): Promise<void>
}

export async function startWorld(random: () => number): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'waxwing-chaos-'))
  // PostgreSQL runs as another user where root starts it.
  chmodSync(folder, 0o755)
  const database = await startDatabase(folder, diskMegabytes)
  const relay = startRelay(random)
  const names = await startNameServer()
  const databaseGate = await openGate(() => database.port)
  const relayGate = await openGate(() => relay.port)
  const world: World = {
    folder,
    random,
    database,
    databaseGate,
    relay,
    relayGate,
    names,
    instances: [],
    hasClocks: existsSync(fakeTime),
    unexpected: [],
    async stop() {
      for (const instance of world.instances) {
        instance.isMeantToEnd = true
        instance.program.kill('SIGKILL')
      }
      databaseGate.stop()
      relayGate.stop()
      relay.stop()
      names.stop()
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  for (let number = 1; number <= instanceCount; number++)
    world.instances.push(await startInstance(world, `instance ${number}`))
  return world
}

/** What each instance, and each command about it, is started with. */
export function environmentOf(world: World, name: string, databaseUrl: string): Record<string, string> {
  const dataDir = join(world.folder, name.replace(' ', '-'))
  mkdirSync(dataDir, { recursive: true })
  return {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    JWT_SECRET: 'one secret for both instances',
    ENCRYPTION_KEY: 'one key for both instances',
    PORT: '0',
    SMTP_URL: `smtp://127.0.0.1:${world.relayGate.port}?pool=5`,
    DNS_SERVERS: world.names.address,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'error',
  }
}

async function startInstance(world: World, name: string): Promise<Instance> {
  const clockFile = join(world.folder, `${name.replace(' ', '-')}.clock`)
  const environment = environmentOf(world, name, world.database.urlAt(world.databaseGate.port))
  const clock = {
    LD_PRELOAD: fakeTime,
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  if (world.hasClocks) Object.assign(environment, clock)
  writeFileSync(clockFile, '+0')
  const instance: Instance = {
    name,
    environment,
    clockFile,
    isMeantToEnd: false,
    program: await startProgram({ environment }),
  }
  watch(world, instance)
  return instance
}

/** Starts it again, until it stays: what a service manager does. */
export async function restart(world: World, instance: Instance): Promise<void> {
  const options: ProgramOptions = { environment: instance.environment }
  for (;;) {
    const program = await startProgram(options).catch(() => undefined)
    if (program) {
      instance.program = program
      instance.isMeantToEnd = false
      return watch(world, instance)
    }
    await Bun.sleep(1_000)
  }
}

export async function kill(instance: Instance): Promise<void> {
  instance.isMeantToEnd = true
  instance.program.kill('SIGKILL')
  await instance.program.exited
}

/** An instance that ends by itself is noted, and started again. */
function watch(world: World, instance: Instance): void {
  const { program } = instance
  void program.exited.then(async code => {
    if (instance.isMeantToEnd || instance.program !== program) return
    world.unexpected.push(`${instance.name} ended by itself (${code}): ${program.log().slice(-300)}`)
    await restart(world, instance)
  })
}

/** Moves the clock of one instance by so many seconds; 0 is the right time. */
export function moveClock(instance: Instance, seconds: number): void {
  writeFileSync(instance.clockFile, `${seconds < 0 ? '' : '+'}${seconds}`)
}
