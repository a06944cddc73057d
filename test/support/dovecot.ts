// A real IMAP server for tests: Dovecot with a private configuration, on a free port of this machine, with one mailbox in a folder.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './program'
import { until } from './until'

interface Certificate {
  cert: string
  key: string
}

export interface Dovecot {
  port: number
  /** TLS from the first byte. */
  tlsPort: number
  /** Puts a mail into the inbox, as a delivery agent does. */
  deliver(raw: string): void
  /** The names of the mails in a folder, with their flags at the end. */
  files(folder?: string): string[]
  /** How many connections have signed in so far. */
  signIns(): number
  /** From now on nothing answers; `start` ends that. */
  halt(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** Why it can't run here; undefined when it can. */
export function dovecotMissing(): string | undefined {
  if (!Bun.which('dovecot') && !Bun.which('/usr/sbin/dovecot')) return 'dovecot-imapd is not installed'
  return process.getuid?.() === 0 ? undefined : 'dovecot needs root'
}

/** With a certificate it offers STARTTLS, and TLS from the first byte on a port of its own. */
export async function startDovecot(password: string, tls?: Certificate): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), 'waxwing-dovecot-'))
  chmodSync(folder, 0o755)
  const [port, tlsPort] = [await freePort(), await freePort()]
  const mail = join(folder, 'mail')
  mkdirSync(mail)
  const owner = await nobody()
  Bun.spawnSync(['chown', owner.join(':'), mail])
  writeFileSync(join(folder, 'dovecot.conf'), configuration(folder, port, password, owner, tls ? tlsPort : 0))
  if (tls) writeFileSync(join(folder, 'tls.pem'), tls.cert + tls.key)
  let server: Bun.Subprocess | undefined
  let count = 0
  const halt = async (): Promise<void> => {
    server?.kill()
    await server?.exited
  }
  const start = async (): Promise<void> => {
    server = Bun.spawn(['/usr/sbin/dovecot', '-F', '-c', join(folder, 'dovecot.conf')], {
      stdout: 'ignore',
      stderr: 'ignore',
    })
    await until('dovecot answers', () => greets(port))
  }
  await start()
  const inbox = join(mail, 'Maildir')
  return {
    port,
    tlsPort,
    halt,
    start,
    deliver(raw) {
      for (const name of ['', 'new', 'cur', 'tmp']) mkdirSync(join(inbox, name), { recursive: true })
      writeFileSync(join(inbox, 'new', `${1_772_366_000 + ++count}.M1P${count}.host`), raw)
      Bun.spawnSync(['chown', '-R', owner.join(':'), inbox])
    },
    files: (name = '') =>
      ['new', 'cur'].flatMap(part => {
        try {
          return readdirSync(join(inbox, name && `.${name}`, part))
        } catch {
          return []
        }
      }),
    signIns: () => readFileSync(join(folder, 'log'), 'utf8').split('imap-login: Info: Login:').length - 1,
    async stop() {
      await halt()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function nobody(): Promise<[uid: string, gid: string]> {
  const id = async (flag: string) => (await Bun.$`id ${flag} nobody`.text()).trim()
  return [await id('-u'), await id('-g')]
}

async function greets(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data: (socket, chunk) => {
        resolve(chunk.toString().startsWith('* OK'))
        socket.end()
      },
      close: () => resolve(false),
      error: () => resolve(false),
    },
  }).catch(() => resolve(false))
  return await promise
}

function configuration(
  folder: string,
  port: number,
  password: string,
  [uid, gid]: string[],
  tlsPort: number,
): string {
  const pem = `<${folder}/tls.pem`
  const tls = tlsPort === 0 ? 'ssl = no' : `ssl = yes\nssl_cert = ${pem}\nssl_key = ${pem}`
  return `
protocols = imap
listen = 127.0.0.1, 127.0.0.2
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
${tls}
disable_plaintext_auth = no
auth_mechanisms = plain
auth_failure_delay = 0
default_internal_user = dovecot
default_login_user = dovenull
first_valid_uid = 1
mail_location = maildir:~/Maildir
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${folder}/mail
}
namespace inbox {
  inbox = yes
}
# Wrong passwords would slow down what comes after them.
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tlsPort}
  }
}
`
}
