// Uploads over HTTP, with the files in a directory and in a bucket: what is taken, what is refused, and how it is shown to the world.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyElysia } from 'elysia'
import { reserve } from '../../src/http/server'
import { directoryStore } from '../../src/platform/files/directory'
import { memoryStore } from '../../src/platform/files/memory'
import { s3Store } from '../../src/platform/files/s3'
import { type FileStore, StoreFull, StoreUnavailable } from '../../src/platform/files/store'
import { buildApp } from '../../src/server/app'
import { type Bucket, startBucket } from '../support/bucket'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type MadeProject, makeProject } from '../support/make'
import { type Answer, type RequestOptions, request } from '../support/request'

let database: TestDatabase
let base: ReturnType<typeof testContext>
let project: MadeProject
let folder: string
let bucket: Bucket
beforeAll(async () => {
  database = await cloneDatabase()
  folder = await mkdtemp(join(tmpdir(), 'waxwing-uploads-'))
  base = testContext(database, { rateLimitPerMinute: 0 })
  project = await makeProject(base)
  bucket = await startBucket()
})
afterAll(async () => {
  await bucket.stop()
  await rm(folder, { recursive: true })
  await database.drop()
})

const head = {
  jpeg: [0xff, 0xd8, 0xff, 0xe0],
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  gif: [...Buffer.from('GIF89a')],
  webp: [...Buffer.from('RIFF\x10\0\0\0WEBPVP8 ')],
}
const png = new Uint8Array([...head.png, 1, 2, 3])

const appWith = (files: FileStore): AnyElysia => buildApp({ ...base.ctx, files })

function upload(
  app: AnyElysia,
  bytes: Uint8Array | string,
  options: Partial<RequestOptions> & { type?: string; name?: string } = {},
) {
  const { type = 'image/png', name = 'cat.png', ...rest } = options
  const body = new FormData()
  body.set('image', new File([bytes as Uint8Array<ArrayBuffer>], name, { type }))
  return request(app, 'POST', '/uploads/image', { key: project.secretKey, body, ...rest })
}

/** The bytes themselves: `request` reads texts. */
async function fetchFrom(app: AnyElysia, path: string, init: RequestInit = {}): Promise<Response> {
  return await app.handle(new Request(`http://localhost${path}`, init))
}

const pathOf = (answer: Answer): string => new URL(answer.body.url).pathname

describe.each(['a directory', 'a bucket'])('in %s', where => {
  let app: AnyElysia
  beforeEach(() => {
    app = appWith(
      where === 'a directory' ? directoryStore(folder) : s3Store({ ...bucket.settings, prefix: 'wax' }),
    )
  })

  test('an image is stored under a name of ours and shown to everybody', async () => {
    const answer = await upload(app, png, { name: '../../cat and dog.svg' })
    expect(answer.status).toBe(200)
    const { key } = answer.body
    expect(key).toMatch(new RegExp(`^${project.id}/${base.clock.now().getTime()}-[0-9a-f]{16}\\.png$`))
    expect(answer.body).toEqual({
      url: `http://localhost:3000/uploads/${key}`,
      key,
      filename: key.split('/')[1],
      contentType: 'image/png',
      size: png.length,
    })
    const shown = await fetchFrom(app, pathOf(answer))
    expect(shown.status).toBe(200)
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(png)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    })
  })

  test('HEAD answers without the body, and a known file with 304', async () => {
    const path = pathOf(await upload(app, png))
    const looked = await fetchFrom(app, path, { method: 'HEAD' })
    expect(looked.status).toBe(200)
    expect(looked.headers.get('content-type')).toBe('image/png')
    expect(await looked.text()).toBe('')
    const etag = looked.headers.get('etag')!
    for (const given of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await fetchFrom(app, path, { headers: { 'if-none-match': given } })
      expect(again.status).toBe(304)
      expect(again.headers.get('etag')).toBe(etag)
      expect(await again.text()).toBe('')
    }
    expect((await fetchFrom(app, path, { headers: { 'if-none-match': '"x"' } })).status).toBe(200)
  })

  test('over a socket HEAD tells the size', async () => {
    const path = pathOf(await upload(app, png))
    const server = reserve('127.0.0.1', 0)
    try {
      server.open(app)
      const looked = await fetch(`${server.url}${path}`, { method: 'HEAD' })
      expect(looked.status).toBe(200)
      expect(looked.headers.get('content-length')).toBe(String(png.length))
      const got = await fetch(`${server.url}${path}`)
      expect(new Uint8Array(await got.arrayBuffer())).toEqual(png)
    } finally {
      await server.stop()
    }
  })

  test('an unknown name and every path that is no name of ours are 404', async () => {
    const path = pathOf(await upload(app, png))
    for (const wrong of [
      path.replace(/.\.png$/, 'g.png'),
      path.replace(/[0-9a-f]{16}/, '0123456789abcdef'),
      path.replace('.png', '.jpg'),
      `${path}.draft`,
      '/uploads/',
      '/uploads/..%2f..%2fetc%2fpasswd',
      '/uploads/%2e%2e/%2e%2e/etc/passwd',
      `/uploads/${project.id}/..%5c1-0123456789abcdef.png`,
      `/uploads/${project.id}/`,
      '/uploads/jwt-secret',
    ])
      expect([wrong, (await fetchFrom(app, wrong)).status]).toEqual([wrong, 404])
  })

  test('removing the folder of a project removes its files and no others', async () => {
    const files =
      where === 'a directory' ? directoryStore(folder) : s3Store({ ...bucket.settings, prefix: 'wax' })
    const path = pathOf(await upload(app, png))
    const other = await makeProject(base)
    const kept = pathOf(await upload(app, png, { key: other.secretKey }))
    const { signal } = new AbortController()
    await files.removeFolder(project.id, signal)
    await files.removeFolder(project.id, signal)
    expect((await fetchFrom(app, path)).status).toBe(404)
    expect((await fetchFrom(app, kept)).status).toBe(200)
  })
})

describe('what is taken', () => {
  const app = () => appWith(memoryStore())

  test.each([
    ['jpeg', 'image/jpeg', 'jpg'],
    ['png', 'image/png', 'png'],
    ['gif', 'image/gif', 'gif'],
    ['webp', 'image/webp', 'webp'],
  ] as const)(
    '%s is known by its first bytes, whatever it calls itself',
    async (kind, contentType, ending) => {
      const answer = await upload(app(), new Uint8Array([...head[kind], 0, 0, 0]), {
        type: 'text/html',
        name: 'x.html',
      })
      expect(answer.body).toMatchObject({ contentType })
      expect(answer.body.key).toEndWith(`.${ending}`)
    },
  )

  test.each([
    ['a page that calls itself an image', '<html><script>alert(1)</script>'],
    ['a drawing with scripts', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['sound in the same container as WebP', 'RIFF\x10\0\0\0WAVEfmt '],
    ['the first bytes of a PNG only', '\x89PN'],
    ['nothing', ''],
  ])('%s is refused in the short form', async (_, text) => {
    const files = memoryStore()
    const { status, body } = await upload(appWith(files), new Uint8Array(Buffer.from(text, 'latin1')))
    expect(status).toBe(400)
    expect(body).toEqual({ error: expect.any(String) })
    expect(files.files.size).toBe(0)
  })

  test('a request without the part, with a text in it, or with JSON is refused in the short form', async () => {
    const key = project.secretKey
    const text = new FormData()
    text.set('image', 'hello')
    const other = new FormData()
    other.set('picture', new File([png], 'cat.png'))
    for (const body of [text, other, { image: 'x' }, undefined]) {
      const answer = await request(app(), 'POST', '/uploads/image', { key, body })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({ error: 'No image was sent in the part "image"' })
    }
  })

  test('10 MB are taken, and one byte more is 413', async () => {
    const largest = new Uint8Array(10 * 1024 ** 2)
    largest.set(head.png)
    expect((await upload(app(), largest)).status).toBe(200)
    const tooLarge = new Uint8Array(largest.length + 1)
    tooLarge.set(head.png)
    const answer = await upload(app(), tooLarge)
    expect(answer.status).toBe(413)
    expect(answer.body.error.code).toBe('PAYLOAD_TOO_LARGE')
    expect((await upload(app(), new Uint8Array(largest.length + 1024 ** 2))).status).toBe(413)
  })

  test('without a key, with the public one, and in a disabled project nothing is', async () => {
    const status = async (key?: string) => (await upload(app(), png, { key })).status
    expect(await status('')).toBe(401)
    expect(await status(project.publicKey)).toBe(401)
    const disabled = await makeProject(base)
    await database.sql`update projects set disabled = true where id = ${disabled.id}`
    expect(await status(disabled.secretKey)).toBe(403)
  })
})

describe('the room of a project', () => {
  const appOf = (bytes: number, files: FileStore = memoryStore()): AnyElysia =>
    buildApp({ ...base.ctx, files, config: { ...base.ctx.config, uploadBytesPerProject: bytes } })
  const counted = async () =>
    (await database.sql`select bytes from upload_totals where project_id = ${project.id}`)[0]?.['bytes']
  beforeEach(async () => {
    project = await makeProject(base)
  })

  test('may be filled to the last byte, however many come at once', async () => {
    const app = appOf(3 * png.length)
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(app, png)))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 200, 200, 403, 403, 403, 403, 403])
    expect(answers.find(({ status }) => status === 403)!.body).toEqual({
      error: `This project may keep ${3 * png.length} bytes of images, and this one would be too much`,
    })
    const other = await makeProject(base)
    expect((await upload(app, png, { key: other.secretKey })).status).toBe(200)
    expect((await upload(appOf(Number.MAX_SAFE_INTEGER), png)).status).toBe(200)
  })

  test('is not taken by what is refused or not stored', async () => {
    expect((await upload(appOf(png.length - 1), png)).status).toBe(403)
    expect((await upload(appOf(1_000), 'no image')).status).toBe(400)
    expect(await counted()).toBeUndefined()
    const full = { ...memoryStore(), write: () => Promise.reject(new StoreFull('full')) }
    expect((await upload(appOf(1_000, full), png)).status).toBe(507)
    expect(await counted()).toBe(0)
  })

  test('is empty again after a reset', async () => {
    const app = appOf(png.length)
    expect([(await upload(app, png)).status, (await upload(app, png)).status]).toEqual([200, 403])
    const path = `/users/@me/projects/${project.id}/reset`
    expect((await request(app, 'POST', path, { key: project.secretKey })).status).toBe(200)
    expect((await upload(app, png)).status).toBe(200)
  })
})

describe('a storage that does not work', () => {
  test.each([
    ['is full', new StoreFull('disk full at /var/lib'), 507],
    ['does not answer', new StoreUnavailable('10.0.0.7 refused'), 503],
  ])('and %s is told in the short form, without what is inside', async (_, fault, expected) => {
    const files = memoryStore()
    files.fault = fault
    const { status, body } = await upload(appWith(files), png)
    expect(status).toBe(expected)
    expect(body).toEqual({ error: expect.not.stringMatching(/var|10\.0/) })
  })

  test('a bucket that nobody serves is 503', async () => {
    const settings = { ...bucket.settings, endpoint: 'http://127.0.0.1:9' }
    const app = appWith(s3Store({ ...settings, prefix: '' }))
    expect((await upload(app, png)).status).toBe(503)
    const key = `${project.id}/1-0123456789abcdef.png`
    expect((await fetchFrom(app, `/uploads/${key}`)).status).toBe(503)
  })

  test('wrong keys of the bucket are 503', async () => {
    const app = appWith(s3Store({ ...bucket.settings, accessKeyId: 'UNKNOWN', prefix: '' }))
    expect((await upload(app, png)).status).toBe(503)
  })

  test('a folder that cannot be written is 503, and leaves nothing half', async () => {
    const place = join(folder, 'file')
    await Bun.write(place, 'a file where a folder should be')
    expect((await upload(appWith(directoryStore(place)), png)).status).toBe(503)
    expect((await stat(place)).isFile()).toBe(true)
  })
})

describe('the store', () => {
  test('with a public address answers that one, behind the prefix', async () => {
    const publicUrl = 'https://cdn.example.com/images'
    const settings = { ...bucket.settings, publicUrl }
    const { body } = await upload(appWith(s3Store({ ...settings, prefix: 'wax/wing' })), png)
    expect(body.url).toBe(`${publicUrl}/wax/wing/${body.key}`)
    expect(body.key).toStartWith(`${project.id}/`)
    const bare = await upload(appWith(s3Store({ ...settings, prefix: '' })), png)
    expect(bare.body.url).toBe(`${publicUrl}/${bare.body.key}`)
  })

  test('of an instance is told by /config', async () => {
    const enabled = async (files: FileStore) =>
      (await request(appWith(files), 'GET', '/config')).body.features.storage.s3Enabled
    expect(await enabled(directoryStore(folder))).toBe(false)
    expect(await enabled(s3Store({ ...bucket.settings, prefix: '' }))).toBe(true)
  })

  test('removes more objects than one list holds', async () => {
    const files = s3Store({ ...bucket.settings, prefix: 'many' })
    const keys = Array.from({ length: 25 }, (_, number) => `${project.id}/${number}-0123456789abcdef.png`)
    for (const key of keys) await files.write(key, png, 'image/png')
    await files.removeFolder(project.id, new AbortController().signal)
    for (const key of keys) expect(await files.read(key)).toBeUndefined()
  })

  test('in a directory keeps no drafts', async () => {
    const app = appWith(directoryStore(folder))
    const answer = await upload(app, png)
    const names = await readdir(join(folder, project.id))
    expect(names).toContain(answer.body.filename)
    expect(names.filter(name => name.includes('draft'))).toEqual([])
  })
})

describe('during a reset', () => {
  afterEach(async () => {
    await database.sql`update projects set closing = null, closed_at = null where id = ${project.id}`
  })

  test('nothing is taken: 423', async () => {
    await database.sql`update projects set closing = 'RESET', closed_at = now() where id = ${project.id}`
    const answer = await upload(appWith(memoryStore()), png)
    expect(answer.status).toBe(423)
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(answer.body.error.code).toBe('PROJECT_RESETTING')
  })
})
