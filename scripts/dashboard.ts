// Builds the dashboard into one file that the program carries: `bun run dashboard` (with --watch: again after every change, for whoever
// works on it; the running program serves the new one). Scripts and styles are named after a hash of their contents and compressed once,
// here.
import { existsSync, mkdirSync, renameSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { BunPlugin } from 'bun'
import { hashOfFiles } from './files-hash'
import { cacheDir } from './pack-postgres'

const root = join(import.meta.dir, '..')
const source = join(root, 'src/dashboard')
const pack = join(cacheDir, 'dashboard.pack')
const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  html: 'text/html; charset=utf-8',
}

interface Made {
  name: string
  content: Uint8Array<ArrayBuffer>
}

/** Does nothing if the file was made from the current source. */
export async function ensureDashboard(): Promise<void> {
  const hash = hashOfFiles(root, ['src/dashboard/**/*', 'scripts/dashboard.ts', 'bun.lock'])
  if (existsSync(pack) && (await Bun.file(pack).slice(0, 100).text()).startsWith(`{"hash":"${hash}"`)) return
  const [script, theme, frame, [style, ...fonts], mark] = await Promise.all([
    scripts(),
    classicScript('app/theme-at-start.ts'),
    classicScript('ui/mail/inside-frame.ts'),
    styles(),
    icon(),
  ])
  const font = fonts.find(({ name }) => name.startsWith('inter-latin-wght'))!
  const shell = shellDocument({
    ...script,
    ...{ theme: theme.name, style: style.name, mark: mark.name, font: font.name },
  })
  const pages = [shell, frameDocument(frame.name)]
  await writePack(hash, [...script.files, theme, frame, style, ...fonts, mark, ...pages])
}

/**
 * Says of every script that is loaded later that it needs the first one, which is always there by then. Without it the bundler cuts what
 * the first page consists of into a file for each set of pages that share it: forty requests in place of three.
 */
function pagesNeedTheEntry(entry: string): BunPlugin {
  const later = new Set<string>()
  return {
    name: 'pages need the entry',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir, importer }) => {
        if (kind === 'dynamic-import') later.add(Bun.resolveSync(path, resolveDir ?? dirname(importer)))
        return undefined
      })
      build.onLoad({ filter: /\/src\/dashboard\/.*\.tsx?$/ }, async ({ path, loader }) => {
        const text = await Bun.file(path).text()
        return { loader, contents: later.has(path) ? `import ${JSON.stringify(entry)}\n${text}` : text }
      })
    },
  }
}

async function bundle(entry: string, splitting: boolean) {
  const result = await Bun.build({
    entrypoints: [join(source, entry)],
    target: 'browser',
    ...(splitting && { splitting, minChunkSize: 16_384, plugins: [pagesNeedTheEntry(join(source, entry))] }),
    minify: true,
    metafile: true,
    naming: { entry: '[name]-[hash].[ext]', chunk: 'part-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
    throw: false,
  })
  if (!result.success) throw new AggregateError(result.logs, 'the dashboard can not be built')
  const files = await Promise.all(
    result.outputs.map(async output => ({
      name: basename(output.path),
      content: new Uint8Array(await output.arrayBuffer()),
      isEntry: output.kind === 'entry-point',
    })),
  )
  return { files, main: files.find(file => file.isEntry)!.name, inputs: result.metafile!.outputs }
}

/** All scripts, and the names of those that the first page needs in any case. */
async function scripts(): Promise<{ files: Made[]; main: string; first: string[] }> {
  const { files, main, inputs } = await bundle('app/main.tsx', true)
  const imports = new Map(
    Object.entries(inputs).map(([path, { imports }]) => [
      basename(path),
      imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path)),
    ]),
  )
  const first = new Set<string>()
  const follow = (name: string): void => {
    if (first.has(name)) return
    first.add(name)
    imports.get(name)?.forEach(follow)
  }
  follow(main)
  first.delete(main)
  return { files, main, first: [...first] }
}

/** A script that is not a module: it runs before anything is painted, or in a frame that may not load modules. */
async function classicScript(entry: string): Promise<Made> {
  return (await bundle(entry, false)).files[0]!
}

/** The styles, and the files of the typeface that they name: a browser loads those whose letters are on the page. */
async function styles(): Promise<[Made, ...Made[]]> {
  const tailwind = Bun.spawn(
    [process.execPath, 'x', '--bun', 'tailwindcss', '--minify', '--input', join(source, 'app/style.css')],
    { cwd: root, stderr: 'pipe' },
  )
  const [code = '', complaint] = await Promise.all(
    [tailwind.stdout, tailwind.stderr].map(stream => new Response(stream).text()),
  )
  if ((await tailwind.exited) !== 0) throw new Error(`the styles could not be built: ${complaint}`)
  const fonts = new Map<string, Made>()
  for (const [, path = ''] of code.matchAll(/url\(\.\/files\/([\w-]+\.woff2)\)/g)) {
    const file = Bun.resolveSync(`@fontsource-variable/inter/files/${path}`, root)
    fonts.set(path, named(basename(path, '.woff2'), 'woff2', await Bun.file(file).bytes()))
  }
  const text = code
    .trim()
    .replaceAll(/url\(\.\/files\/([\w-]+\.woff2)\)/g, (_, path) => `url(${fonts.get(path)!.name})`)
  return [named('style', 'css', new TextEncoder().encode(text)), ...fonts.values()]
}

async function icon(): Promise<Made> {
  return named('mark', 'svg', await Bun.file(join(source, 'app/mark.svg')).bytes())
}

function named(name: string, extension: string, content: Uint8Array<ArrayBuffer>): Made {
  const hash = Bun.hash.xxHash64(content).toString(36).slice(0, 8)
  return { name: `${name}-${hash}.${extension}`, content }
}

interface Parts {
  main: string
  first: string[]
  theme: string
  style: string
  mark: string
  /** Of Latin letters, which every page has. */
  font: string
}

/** `{{base}}` becomes the path below which the instance is reached. */
function shellDocument({ main, first, theme, style, mark, font }: Parts): Made {
  const asset = (name: string): string => `{{base}}assets/${name}`
  const text = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Waxwing</title>',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">',
    `<script src="${asset(theme)}"></script><link rel="stylesheet" href="${asset(style)}">`,
    `<link rel="preload" as="font" type="font/woff2" crossorigin href="${asset(font)}">`,
    `<link rel="icon" type="image/svg+xml" href="${asset(mark)}">`,
    ...first.map(name => `<link rel="modulepreload" href="${asset(name)}">`),
    `<script type="module" src="${asset(main)}"></script></head><body><div id="root"></div></body></html>`,
  ]
  return { name: 'index.html', content: new TextEncoder().encode(text.join('\n')) }
}

/** The page in which mails are shown: only the script that puts them there. */
function frameDocument(script: string): Made {
  const text = `<!doctype html><html><head><meta charset="utf-8"><script src="{{base}}assets/${script}"></script></head><body></body></html>`
  return { name: 'mail-frame.html', content: new TextEncoder().encode(text) }
}

/** A line of JSON with the position of each file, then the files, end to end. */
async function writePack(hash: string, files: Made[]): Promise<void> {
  const parts: Uint8Array[] = []
  let size = 0
  const place = (bytes: Uint8Array): [from: number, to: number] => {
    parts.push(bytes)
    size += bytes.length
    return [size - bytes.length, size]
  }
  const index = Object.fromEntries(
    files.map(({ name, content }) => {
      const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
      return [name, { type, gzip: place(gzipSync(content, { level: 9 })), br: place(brotli(content)) }]
    }),
  )
  const partial = `${pack}.${process.pid}.partial`
  mkdirSync(cacheDir, { recursive: true })
  await Bun.write(
    partial,
    new Blob([`${JSON.stringify({ hash, files: index })}\n`, ...(parts as BlobPart[])]),
  )
  renameSync(partial, pack)
}

function brotli(content: Uint8Array): Uint8Array {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
}

if (import.meta.main) {
  await ensureDashboard()
  if (process.argv.includes('--watch')) keepBuilding()
}

function keepBuilding(): void {
  let timer: Timer | undefined
  const build = (): void =>
    void ensureDashboard().then(
      () => console.log('built'),
      error => console.error(error instanceof AggregateError ? error.errors.join('\n') : error),
    )
  watch(source, { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(build, 100)
  })
}
