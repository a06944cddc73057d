// What happens to it: each fault begins, lasts and is over when its function resolves, as far as it ends by itself.
import { join } from 'node:path'
import { runProgram } from '../../test/support/program'
import { kill, moveClock, restart, type World } from './world'

export interface Fault {
  name: string
  /** Whether it can be done on this machine. */
  isPossible?(world: World): boolean
  happen(world: World): Promise<void>
}

/** A length between these, in milliseconds. */
const some = ({ random }: World, least: number, most: number): number => least + random() * (most - least)
const one = <T>({ random }: World, all: readonly T[]): T => all[Math.floor(random() * all.length)]!

/** The relay is in a mood for a while. */
function mood(name: string, kind: 'storm' | 'deferring' | 'slow', seconds: number): Fault {
  return {
    name,
    async happen(world) {
      world.relay.set(kind)
      await Bun.sleep(some(world, seconds * 500, seconds * 1_000))
      world.relay.set('well')
    },
  }
}

export const faults: readonly Fault[] = [
  {
    name: 'kill -9 of one instance',
    async happen(world) {
      const instance = one(world, world.instances)
      await kill(instance)
      await Bun.sleep(some(world, 0, 3_000))
      await restart(world, instance)
    },
  },
  {
    name: 'kill -9 of both instances',
    async happen(world) {
      await Promise.all(world.instances.map(kill))
      await Bun.sleep(some(world, 0, 3_000))
      await Promise.all(world.instances.map(each => restart(world, each)))
    },
  },
  {
    name: 'an instance is stopped and started, as for a new version',
    async happen(world) {
      const instance = one(world, world.instances)
      instance.isMeantToEnd = true
      const code = await instance.program.stop()
      if (code !== 0) world.unexpected.push(`${instance.name} stopped with ${code}`)
      await restart(world, instance)
    },
  },
  {
    name: 'kill -9 of PostgreSQL',
    async happen(world) {
      await world.database.kill()
      await Bun.sleep(some(world, 0, 3_000))
      await world.database.begin()
    },
  },
  {
    name: 'kill -9 of everything at once',
    async happen(world) {
      await Promise.all([world.database.kill(), ...world.instances.map(kill)])
      await world.database.begin()
      await Promise.all(world.instances.map(each => restart(world, each)))
    },
  },
  { name: 'kill -9 of one PostgreSQL backend', happen: world => world.database.killBackend(world.random) },
  { name: 'restart of PostgreSQL', happen: world => world.database.restart() },
  {
    name: 'PostgreSQL stands still for seconds',
    happen: world => world.database.freeze(some(world, 2_000, 8_000)),
  },
  {
    name: 'PostgreSQL is slow: it stands still four fifths of the time',
    async happen(world) {
      for (const end = Date.now() + some(world, 4_000, 10_000); Date.now() < end; await Bun.sleep(40))
        await world.database.freeze(160)
    },
  },
  {
    name: 'full disk of PostgreSQL',
    isPossible: ({ database }) => database.hasOwnDisk,
    async happen(world) {
      world.database.fillDisk()
      await Bun.sleep(some(world, 2_000, 6_000))
      world.database.emptyDisk()
      // Without room for its log it ends by itself, and somebody has to start it.
      if (!world.database.isRunning()) await world.database.begin()
    },
  },
  {
    name: 'connections to PostgreSQL break',
    happen: async ({ databaseGate }) => databaseGate.drop(),
  },
  {
    name: 'connections to PostgreSQL fall silent for good',
    happen: async ({ databaseGate }) => databaseGate.silence(),
  },
  {
    name: 'the answer to a commit is lost',
    async happen({ databaseGate }) {
      await databaseGate.loseAnswer(/COMMIT/)
    },
  },
  mood('the relay answers everything with 421', 'storm', 10),
  mood('the relay defers a third with 451', 'deferring', 15),
  mood('the relay is slow', 'slow', 10),
  { name: 'connections to the relay break', happen: async ({ relayGate }) => relayGate.drop() },
  {
    name: 'connections to the relay fall silent for good',
    happen: async ({ relayGate }) => relayGate.silence(),
  },
  {
    name: "the relay's word that it took a message is lost",
    async happen({ relayGate }) {
      await relayGate.loseAnswer(/taken/)
    },
  },
  {
    name: 'the clock of an instance jumps, and back',
    isPossible: ({ hasClocks }) => hasClocks,
    async happen(world) {
      const instance = one(world, world.instances)
      moveClock(instance, Math.round(some(world, -7_200, 7_200)))
      await Bun.sleep(some(world, 3_000, 10_000))
      moveClock(instance, 0)
    },
  },
  {
    name: 'a backup is made under load',
    async happen(world) {
      const file = join(world.folder, backupName)
      const { environment } = world.instances[0]!
      const { code, err } = await runProgram(['backup', file, '--verify'], { environment })
      if (code !== 0) world.unexpected.push(`backup: ${err.slice(-300)}`)
    },
  },
]

/** Of the newest backup in the folder of the world. */
export const backupName = 'chaos.wxb'
