// A real browser without a window, driven by the DevTools protocol over its WebSocket: enough to open pages as somebody on a phone does,
// press their buttons, and look at what became of it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { counterpart } from './counterpart'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** Where a Chromium is, if there is one; CHROMIUM names one that is not in the path. */
export const chromiumPath: string | undefined = counterpart(
  'Chromium',
  process.env['CHROMIUM'] || names.map(name => Bun.which(name)).find(path => path !== null),
)

interface Message {
  id?: number
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { message: string }
  sessionId?: string
}

export interface Viewport {
  width: number
  height: number
  isDark?: boolean
}

export interface Tab {
  /** Opens a page and waits until it is loaded; answers its status. */
  open(url: string): Promise<number>
  /** Does something that leads to another page, and waits until that is loaded. */
  follow(script: string): Promise<number>
  evaluate<T>(script: string): Promise<T>
  /** What a script gives once it gives this value, or still gives after five seconds: `autofocus` waits for a frame. */
  becoming<T>(script: string, value: T): Promise<T>
  show(viewport: Viewport): Promise<void>
  /** Runs a script that needs timers, which stand still where pages may run no script; for these moments they may. */
  examine<T>(script: string): Promise<T>
  /** A PNG of the whole page. */
  picture(): Promise<Buffer>
  /** Any other command of the protocol. */
  send(method: string, params?: object): Promise<Record<string, unknown>>
  /** What the console, the content security policy and the network complained about so far. */
  complaints: string[]
}

export interface Browser {
  tab(): Promise<Tab>
  close(): Promise<void>
}

type Send = (method: string, params?: object, sessionId?: string) => Promise<Record<string, unknown>>

export async function startChromium(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'waxwing-chromium-'))
  const child = Bun.spawn([chromiumPath!, ...switches, `--user-data-dir=${profile}`], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const socket = new WebSocket(await addressIn(child.stderr))
  await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }))
  const listeners = new Set<(message: Message) => void>()
  const send = sender(socket, listeners)
  return {
    tab: () => openTab(send, listeners),
    async close() {
      await send('Browser.close').catch(() => child.kill())
      socket.close()
      await child.exited
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/**
 * What costs and shows nothing: the list below the line for addresses is two pages of its own, 0.6 s of the processor for each window, and a
 * process is kept ready for the next page. Behind them what Playwright switches off: Chromium goes by the last list that it is given.
 */
const withoutFeatures = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'SpareRendererForSitePerProcess'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding', 'AimEnabled'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'PreconnectToSearch'],
]

/** The sandbox needs rights that a test run by root or in a container does not have; only our own pages are opened. */
export const sparing = ['--no-sandbox', '--disable-gpu', `--disable-features=${withoutFeatures.join()}`]

const switches = [
  '--headless=new',
  ...sparing,
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-background-networking',
  '--no-first-run',
  '--hide-scrollbars',
  '--remote-debugging-port=0',
  'about:blank',
]

async function addressIn(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of stderr) {
    text += decoder.decode(chunk, { stream: true })
    const found = /DevTools listening on (ws:\S+)/.exec(text)
    if (found) return found[1]!
  }
  throw new Error(`Chromium did not start: ${text.slice(-500)}`)
}

function sender(socket: WebSocket, listeners: Set<(message: Message) => void>): Send {
  let last = 0
  const waiting = new Map<number, (message: Message) => void>()
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id === undefined) for (const listen of listeners) listen(message)
    else waiting.get(message.id)?.(message)
  }
  return (method, params = {}, sessionId) =>
    within(method, (resolve, reject) => {
      const id = ++last
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id)
        if (error) reject(new Error(`${method}: ${error.message}`))
        else resolve(result ?? {})
      })
      socket.send(JSON.stringify({ id, method, params, sessionId }))
    })
}

/** A browser that says nothing more fails the test by name instead of by the runner's limit. */
async function within<T>(
  what: string,
  act: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(new Error(`Chromium does not answer: ${what}`)), patienceMs)
  try {
    act(resolve, reject)
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

const patienceMs = 25_000

/** A tab of its own profile, in which no script of a page runs; ours, sent over the protocol, do. */
async function openTab(sendAny: Send, listeners: Set<(message: Message) => void>): Promise<Tab> {
  const { browserContextId } = await sendAny('Target.createBrowserContext')
  const { targetId } = await sendAny('Target.createTarget', { url: 'about:blank', browserContextId })
  const attached = await sendAny('Target.attachToTarget', { targetId, flatten: true })
  const sessionId = String(attached['sessionId'])
  const send: Send = (method, params) => sendAny(method, params, sessionId)
  const complaints: string[] = []
  const loads = watch(sessionId, listeners, complaints)
  for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await send(`${domain}.enable`)
  await send('Emulation.setScriptExecutionDisabled', { value: true })
  const evaluate = async <T>(expression: string): Promise<T> => {
    const options = { expression, returnByValue: true, awaitPromise: true, userGesture: true }
    const { result, exceptionDetails } = await send('Runtime.evaluate', options)
    if (exceptionDetails) throw new Error(`${expression.slice(0, 200)}: ${JSON.stringify(exceptionDetails)}`)
    return (result as { value: T }).value
  }
  return {
    complaints,
    send,
    evaluate,
    async becoming<T>(script: string, value: T) {
      for (const until = Date.now() + 5_000; ; await Bun.sleep(20)) {
        const now = await evaluate<T>(script)
        if (now === value || Date.now() > until) return now
      }
    },
    async examine<T>(script: string) {
      await send('Emulation.setScriptExecutionDisabled', { value: false })
      const found = await evaluate<T>(script)
      await send('Emulation.setScriptExecutionDisabled', { value: true })
      return found
    },
    open: async url => await loads.after(() => send('Page.navigate', { url })),
    follow: async script => await loads.after(() => evaluate(script)),
    async show({ width, height, isDark = false }) {
      await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: true })
      const features = [{ name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' }]
      await send('Emulation.setEmulatedMedia', { features })
    },
    async picture() {
      const { data } = await send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true })
      return Buffer.from(String(data), 'base64')
    },
  }
}

/** Notes what goes wrong in a tab, and tells when its next page is loaded. */
function watch(sessionId: string, listeners: Set<(message: Message) => void>, complaints: string[]) {
  let status = 0
  let loaded: (() => void) | undefined
  listeners.add(({ method, params = {}, sessionId: from }) => {
    if (from !== sessionId) return
    if (isComplaint(method, params)) complaints.push(`${method} ${JSON.stringify(params)}`)
    if (method === 'Network.responseReceived' && params['type'] === 'Document')
      status = (params['response'] as { status: number }).status
    if (method === 'Page.loadEventFired') loaded?.()
  })
  return {
    async after(act: () => Promise<unknown>): Promise<number> {
      await within<void>('the page is loaded', (resolve, reject) => {
        loaded = resolve
        act().catch(reject)
      })
      return status
    },
  }
}

const complaining = ['Runtime.consoleAPICalled', 'Network.loadingFailed']

/** Chromium's advice (level `verbose`) is none. */
function isComplaint(method: string | undefined, params: Record<string, unknown>): boolean {
  if (method === 'Log.entryAdded') return (params['entry'] as { level: string }).level !== 'verbose'
  return method !== undefined && complaining.includes(method)
}
