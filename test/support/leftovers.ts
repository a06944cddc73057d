// The test files of a worker share one process and its loaded modules: loading the application anew for each would be a third of the
// time. So a file must leave nothing that the next one could see; what can be seen is compared before and after each.

/** Names of the databases that are not dropped yet. */
export const openDatabases = new Set<string>()

/** What all files of a process can see, by name. */
export function takeStock(): Map<string, unknown> {
  const stock = new Map<string, unknown>([['working directory', process.cwd()]])
  for (const [name, value] of Object.entries(process.env)) stock.set(`process.env.${name}`, value)
  for (const event of process.eventNames())
    stock.set(`listeners of process for ${String(event)}`, process.listenerCount(event))
  for (const [name, object] of Object.entries(shared))
    for (const key of Reflect.ownKeys(object)) stock.set(`${name}.${String(key)}`, valueAt(object, key))
  return stock
}

const shared = { globalThis, console, Date, Math, performance, crypto }

/** Without running a getter, which may make something costly. */
function valueAt(object: object, key: PropertyKey): unknown {
  const property = Object.getOwnPropertyDescriptor(object, key)
  return property?.get ?? property?.value
}

/** What libraries define when they are loaded, and that may be in the middle of a test. */
const definedByLibraries = ['globalThis.awslambda']

/** The names of what differs, and of the databases that are still there. */
export function leftovers(before: Map<string, unknown>, after: Map<string, unknown>): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return names
    .filter(name => !definedByLibraries.includes(name) && !Object.is(before.get(name), after.get(name)))
    .concat([...openDatabases].map(name => `database ${name}`))
}
