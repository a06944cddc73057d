// How templates of Shopify's liquid-spec come out here and by liquidjs alone: `bun scripts/liquid-spec.ts FOLDER`, where FOLDER is the
// `specs` of a checkout of github.com/Shopify/liquid-spec. Cases that need partials, Ruby's objects or lax parsing are left out.
import { join } from 'node:path'
import { Glob } from 'bun'
import { besideLiquidjs } from '../test/support/beside-liquidjs'

interface Spec {
  name: string
  template: string
  environment?: Record<string, unknown>
  assigns?: Record<string, unknown>
  expected?: string
  errors?: { parse_error?: unknown }
  error_mode?: string
  filesystem?: unknown
}

const folder = process.argv[2]
if (!folder) throw new Error('Name the folder `specs` of a checkout of Shopify/liquid-spec')
const counts: Record<string, number> = {}
function count(what: string): void {
  counts[what] = (counts[what] ?? 0) + 1
}

for (const file of [...new Glob('**/*.yml').scanSync(folder)].sort()) {
  if (/benchmarks|lax|theme|suite\.yml/.test(file)) continue
  for (const spec of await specsOf(join(folder, file))) compare(file, spec)
}
for (const [what, number] of Object.entries(counts).sort((a, b) => b[1] - a[1]))
  console.log(String(number).padStart(6), what)

async function specsOf(path: string): Promise<Spec[]> {
  try {
    const document = Bun.YAML.parse(await Bun.file(path).text()) as Spec[] | { specs?: Spec[] }
    return Array.isArray(document) ? document : (document.specs ?? [])
  } catch (error) {
    console.log(`not read: ${path}: ${String(error)}`)
    return []
  }
}

function compare(file: string, spec: Spec): void {
  const { name, template, expected, errors } = spec
  if (isForeign(spec) || typeof template !== 'string') {
    count('left out')
    return
  }
  const data = { ...spec.environment, ...spec.assigns }
  const { printed, why } = besideLiquidjs(template, data)
  if (errors?.parse_error) {
    count(printed === undefined ? 'invalid, refused' : 'invalid in strict mode, saved')
    return
  }
  if (expected !== undefined) count(printed === expected ? 'valid, as expected' : 'valid, otherwise')
  count(`beside liquidjs: ${why ?? 'no reason known'}`)
  if (why === undefined)
    console.log(`${file} ${name}: ${JSON.stringify({ template, data, expected, printed })}`)
}

/** An object of Ruby is written as `instantiate: Name`, or may contain itself. */
function isForeign(spec: Spec): boolean {
  try {
    return Boolean(spec.filesystem) || spec.error_mode === 'lax' || /instantiate/.test(JSON.stringify(spec))
  } catch {
    return true
  }
}
