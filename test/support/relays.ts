// Real mail servers for tests: Postfix and Exim with a private configuration and spool on a free port, which demand STARTTLS
// and a sign-in (user `me`, password `geheim`), refuse `no-such-user@…`, put `later@…` off and hand everything else to a sink.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zooCertificate } from './smtp-zoo'
import { until } from './until'

export interface Relay {
  port: number
  /** What the server wrote to its log, for failures. */
  log(): Promise<string>
  stop(): Promise<void>
}

const postfixDaemons = '/usr/lib/postfix/sbin'

/** Why the server can't run here; undefined when it can. */
export function postfixMissing(): string | undefined {
  if (!existsSync(join(postfixDaemons, 'master'))) return 'postfix is not installed'
  return process.getuid?.() === 0 ? undefined : 'postfix needs root'
}

export function eximMissing(): string | undefined {
  const binary = eximBinary()
  if (!binary) return 'exim4 is not installed'
  if (process.getuid?.() !== 0) return 'exim4 needs root'
  return Bun.spawnSync([binary, '-C', '/dev/null', '-bV']).exitCode === 0
    ? undefined
    : 'exim4 does not run here'
}

function eximBinary(): string | undefined {
  return Bun.which('exim4') ?? ['/usr/sbin/exim4', '/usr/local/sbin/exim4'].find(path => existsSync(path))
}

export async function startPostfix(sinkPort: number): Promise<Relay> {
  const folder = makeFolder('postfix')
  const auth = startAuthServer()
  const port = freePort()
  const main = postfixRelays(folder, sinkPort, auth.port)
  return relay(port, folder, await postfix(folder, port, main), () => auth.stop(true))
}

export interface QueueingPostfix extends Relay {
  pid: number
  /** Messages in its queue. */
  queued(): Promise<number>
}

/** One that takes mail of this machine, and keeps it: it is in the queue, on disk, when the sender has its answer. */
export async function startQueueingPostfix(): Promise<QueueingPostfix> {
  const folder = makeFolder('postfix')
  const port = freePort()
  const server = await postfix(folder, port, postfixQueues)
  const started = relay(port, folder, server, () => {})
  return {
    ...started,
    pid: server.pid,
    queued: async () => (await readdir(join(folder, 'queue/hold'))).length,
  }
}

async function postfix(folder: string, port: number, main: string): Promise<Bun.Subprocess> {
  makePostfixQueue(folder)
  writeFileSync(join(folder, 'main.cf'), postfixMain(folder) + main)
  writeFileSync(join(folder, 'master.cf'), postfixMaster(port))
  const server = spawnServer([join(postfixDaemons, 'master'), '-c', folder, '-d'])
  await untilListening(port, server)
  return server
}

export async function startExim(sinkPort: number): Promise<Relay> {
  const folder = makeFolder('exim')
  const port = freePort()
  for (const name of ['spool', 'log']) mkdirSync(join(folder, name))
  run('chown', '-R', 'Debian-exim', join(folder, 'spool'), join(folder, 'log'), join(folder, 'pair.pem'))
  writeFileSync(join(folder, 'exim.conf'), eximConfig(folder, port, sinkPort))
  const server = spawnServer([
    eximBinary()!,
    '-C',
    join(folder, 'exim.conf'),
    '-bdf',
    '-oP',
    join(folder, 'spool', 'pid'),
  ])
  await untilListening(port, server)
  return relay(port, folder, server, () => {})
}

function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `waxwing-${name}-`))
  chmodSync(folder, 0o755)
  const { key, cert } = zooCertificate()
  writeFileSync(join(folder, 'pair.pem'), key + cert, { mode: 0o600 })
  return folder
}

function spawnServer(command: string[]): Bun.Subprocess {
  return Bun.spawn(command, { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
}

function relay(port: number, folder: string, server: Bun.Subprocess, cleanUp: () => void): Relay {
  return {
    port,
    log: async () => {
      const files = [...new Bun.Glob('{mail.log,log/*}').scanSync(folder)].sort()
      return (await Promise.all(files.map(file => Bun.file(join(folder, file)).text()))).join('\n')
    },
    async stop() {
      server.kill('SIGTERM')
      await server.exited
      cleanUp()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  listener.stop(true)
  return listener.port
}

async function untilListening(port: number, server: Bun.Subprocess): Promise<void> {
  await until('the server listens', async () => {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`)
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } }).catch(
      () => undefined,
    )
    socket?.end()
    return socket !== undefined
  })
}

function run(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { stdout: 'ignore', stderr: 'pipe' })
  if (exitCode !== 0) throw new Error(`${command[0]}: ${stderr.toString()}`)
}

/** Postfix asks a server of Dovecot's authentication protocol; this one knows one user. */
function startAuthServer() {
  const hello = [
    'VERSION\t1\t1',
    'MECH\tPLAIN\tplaintext',
    'SPID\t1',
    'CUID\t1',
    `COOKIE\t${'0'.repeat(32)}`,
    'DONE',
    '',
  ]
  return Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open: socket => void socket.write(hello.join('\n')),
      data(socket, data) {
        for (const line of data.toString().split('\n')) {
          const [kind, id, ...fields] = line.split('\t')
          if (kind !== 'AUTH') continue
          const response = fields.find(field => field.startsWith('resp='))?.slice(5) ?? ''
          const correct = Buffer.from(response, 'base64').toString() === '\0me\0geheim'
          socket.write(`${correct ? 'OK' : 'FAIL'}\t${id}\tuser=me\n`)
        }
      },
    },
  })
}

function makePostfixQueue(folder: string): void {
  const own = 'active bounce corrupt defer deferred flush hold incoming private saved trace'.split(' ')
  const queue = join(folder, 'queue')
  for (const name of [...own, 'maildrop', 'public', 'pid']) mkdirSync(join(queue, name), { recursive: true })
  mkdirSync(join(folder, 'data'))
  run('chown', 'postfix', join(folder, 'data'), ...own.map(name => join(queue, name)))
  run('chown', 'postfix:postdrop', join(queue, 'maildrop'), join(queue, 'public'))
  run('chmod', '730', join(queue, 'maildrop'))
  run('chmod', '710', join(queue, 'public'))
}

function postfixMain(folder: string): string {
  return `compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
daemon_directory = ${postfixDaemons}
maillog_file = ${folder}/mail.log
maillog_file_prefixes = ${folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = relay.test
mydestination =
alias_maps =
local_recipient_maps =
message_size_limit = 1000000
`
}

const postfixQueues = `mynetworks = 127.0.0.0/8
smtpd_peername_lookup = no
smtpd_client_connection_count_limit = 0
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_recipient_restrictions = check_recipient_access static:HOLD, permit_mynetworks, reject
`

function postfixRelays(folder: string, sinkPort: number, authPort: number): string {
  return `default_transport = smtp:[127.0.0.1]:${sinkPort}
smtp_dns_support_level = disabled
smtpd_tls_security_level = encrypt
smtpd_tls_chain_files = ${folder}/pair.pem
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:${authPort}
smtpd_recipient_restrictions = check_recipient_access inline:{{no-such-user@y.test=550 5.1.1 no such user}, {later@y.test=450 4.2.1 later}}, permit_sasl_authenticated, reject
smtpd_relay_restrictions = permit_sasl_authenticated, reject
`
}

function postfixMaster(port: number): string {
  return `${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
smtp unix - - n - - smtp
retry unix - - n - - error
anvil unix - - n - 1 anvil
proxymap unix - - n - - proxymap
postlog unix-dgram n - n - 1 postlogd
`
}

function eximConfig(folder: string, port: number, sinkPort: number): string {
  return `exim_path = ${eximBinary()}
primary_hostname = relay.test
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%slog
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${port}
keep_environment =
smtp_accept_queue_per_connection = 0
tls_advertise_hosts = *
tls_certificate = ${folder}/pair.pem
auth_advertise_hosts = \${if eq{$tls_in_cipher}{}{}{*}}
acl_smtp_rcpt = check_rcpt
acl_smtp_data = accept_all
message_size_limit = 1000000
begin acl
check_rcpt:
  deny local_parts = no-such-user
       message = no such user
  defer local_parts = later
        message = later
  accept authenticated = *
  deny message = relay not permitted
accept_all:
  accept
begin routers
sink:
  driver = manualroute
  route_list = * 127.0.0.1
  self = send
  transport = sink
begin transports
sink:
  driver = smtp
  port = ${sinkPort}
  allow_localhost
  hosts_avoid_tls = *
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and{{eq{$auth2}{me}}{eq{$auth3}{geheim}}}}
  server_set_id = $auth2
login:
  driver = plaintext
  public_name = LOGIN
  server_prompts = Username:: : Password::
  server_condition = \${if and{{eq{$auth1}{me}}{eq{$auth2}{geheim}}}}
  server_set_id = $auth1
`
}
