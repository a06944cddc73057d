// PHP as it sends mail: its own mail() through msmtp, PHPMailer, and WordPress' wp_mail(), each with what docs/submission.md says. The
// certificate is one that they know, so nothing is switched off.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { updateProject } from '../../src/modules/accounts/projects/queries'
import { selfSigned } from '../../src/platform/smtp-server/certificate'
import { counterpart, installed } from '../support/counterpart'
import { allPages, blocksOf } from '../support/page'
import { openSubmission, type Submission } from '../support/submission'
import { makeWorld, sender, type World } from '../support/world'

const php = installed('php')
const phpMailer = '/usr/share/php/libphp-phpmailer/autoload.php'
/** Its includes are enough. */
const wordPress = '/usr/share/wordpress'

const folder = mkdtempSync(join(tmpdir(), 'php-'))
const trusted = join(folder, 'cert.pem')
let world: World
let server: Submission
beforeAll(async () => {
  const { cert, key } = selfSigned('localhost', new Date())
  const keyFile = join(folder, 'key.pem')
  writeFileSync(trusted, cert)
  writeFileSync(keyFile, key)
  world = await makeWorld({ dataDir: folder })
  await updateProject(world.ctx, world.project.id, { tracking: 'DISABLED' })
  server = await openSubmission(world, {
    plainOnLoopback: false,
    certificate: { certFile: trusted, keyFile },
  })
  writeFileSync(join(folder, 'php.ini'), `${example('sendmail_path')}openssl.cafile = "${trusted}"\n`)
})
beforeEach(async () => {
  await world.drain()
  world.mail.clear()
})
afterAll(async () => {
  await server.stop()
  await world.close()
  rmSync(folder, { recursive: true })
})

/** A block of the page, with the server of this test. */
function example(beginning: string): string {
  const blocks = allPages().flatMap(blocksOf)
  const found = blocks.find(({ page, text }) => page === 'docs/submission.md' && text.startsWith(beginning))
  return found!.text.replace('mail.acme.example', 'localhost').replace('587', String(server.port))
}

/** Returns what it says; throws unless it ends well. */
async function run(script: string): Promise<string> {
  const file = join(folder, `${Bun.randomUUIDv7()}.php`)
  writeFileSync(file, `<?php\n${script}`)
  const child = Bun.spawn([php!, '-c', join(folder, 'php.ini'), file], {
    env: { PATH: process.env['PATH'], HOME: folder, WAXWING_KEY: world.project.secretKey },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`php: ${out}${err}`)
  return out + err
}

test.skipIf(!php || !installed('msmtp'))('mail() through msmtp', async () => {
  const key = join(folder, 'msmtp.key')
  writeFileSync(key, world.project.secretKey)
  const settings = `${example('account default').replace('/etc/msmtp.key', key)}tls_trust_file ${trusted}\n`
  writeFileSync(join(folder, '.msmtprc'), settings, { mode: 0o600 })
  const said = await run(`
    $headers = ['Content-Type' => 'text/plain; charset=utf-8', 'Reply-To' => 'help@acme.example', 'X-Order' => '4711'];
    $subject = '=?UTF-8?B?' . base64_encode('Grüße') . '?=';
    var_dump(mail('Ada <ada@example.com>', $subject, "Hi Zoë.\n.\nEnd", $headers));`)
  expect(said).toBe('bool(true)\n')
  await world.drain()
  const [mail] = await world.received()
  expect(mail).toMatchObject({
    subject: 'Grüße',
    from: { address: sender },
    to: [{ address: 'ada@example.com', name: 'Ada' }],
    replyTo: [{ address: 'help@acme.example' }],
    headers: expect.arrayContaining([expect.objectContaining({ key: 'x-order', value: '4711' })]),
  })
  expect(mail!.text?.replaceAll('\r\n', '\n').trim()).toBe('Hi Zoë.\n.\nEnd')
})

/** The example of the page sends to each of them. */
const sendWithPhpMailer = (people: Record<string, string>) =>
  run(`
    require '${phpMailer}';
    $people = json_decode('${JSON.stringify(people)}', true);
    ${example('use PHPMailer')}`)

test.skipIf(!php || !counterpart('PHPMailer', existsSync(phpMailer)))(
  'PHPMailer, with STARTTLS and a key',
  async () => {
    expect(await sendWithPhpMailer({ 'ada@example.com': 'Ada Lovelace' })).toBe('')
    await world.drain()
    const [mail] = await world.received()
    expect(mail).toMatchObject({
      subject: 'Your order, Ada Lovelace',
      from: { address: sender, name: 'Acme' },
      to: [{ address: 'ada@example.com', name: 'Ada Lovelace' }],
    })
    expect(mail!.html?.trim()).toBe('<p>Thank you, Ada Lovelace.</p>')
    expect(mail!.text?.trim()).toBe('Thank you, Ada Lovelace.')
  },
)

test.skipIf(!php || !counterpart('WordPress', existsSync(`${wordPress}/wp-includes/pluggable.php`)))(
  'wp_mail() of WordPress',
  async () => {
    const plugin = join(folder, 'waxwing.php')
    writeFileSync(plugin, example('<?php\nadd_action'))
    const page = join(folder, 'paper.txt')
    writeFileSync(page, 'total: 42')
    // What wp-settings.php would load, without a database: options come from the filters that are asked first.
    const said = await run(`
    define('ABSPATH', '${wordPress}/');
    define('WPINC', 'wp-includes');
    define('WAXWING_KEY', getenv('WAXWING_KEY'));
    define('MULTISITE', false);
    $names = 'load class-wp-error plugin functions option formatting general-template link-template http pluggable';
    foreach (explode(' ', $names) as $name) require_once ABSPATH . WPINC . "/$name.php";
    foreach (['home' => 'https://shop.example', 'blog_charset' => 'UTF-8'] as $option => $value)
      add_filter("pre_option_$option", fn () => $value);
    add_action('wp_mail_failed', function ($error) { echo $error->get_error_message(); });
    require '${plugin}';
    $headers = ['Content-Type: text/html; charset=UTF-8', 'Cc: Bob <bob@example.com>', 'Reply-To: help@acme.example'];
    var_dump(wp_mail('ada@example.com', 'Grüße', '<p>Hi Zoë</p>', $headers, ['${page}']));`)
    expect(said).toBe('bool(true)\n')
    await world.drain()
    const mails = await world.received()
    const envelopes = world.mail.sent.map(({ envelope }) => envelope.to)
    expect(envelopes.sort()).toEqual(['ada@example.com', 'bob@example.com'])
    expect(mails[0]).toMatchObject({
      subject: 'Grüße',
      from: { address: sender, name: 'Acme' },
      replyTo: [{ address: 'help@acme.example' }],
      attachments: [{ filename: 'paper.txt' }],
    })
    expect(mails[0]!.html?.trim()).toBe('<p>Hi Zoë</p>')
  },
)

// Comes last: what follows it would wait until all of them have left.
test.skipIf(!php || !counterpart('PHPMailer', existsSync(phpMailer)))(
  'PHPMailer, a burst of 1,000: all are stored when PHP is done',
  async () => {
    // As a shop does it: four processes, each of which keeps its connection.
    const people = (part: number) =>
      Array.from({ length: 250 }, (_, n) => [`burst-${part}-${n}@example.com`, `No. ${n}`])
    const parts = Array.from({ length: 4 }, (_, part) => sendWithPhpMailer(Object.fromEntries(people(part))))
    expect((await Promise.all(parts)).join('')).toBe('')
    const [row] = await world.ctx.sql`
    select count(*)::int as count, count(distinct to_email)::int as different from emails where to_email like 'burst-%'`
    expect(row).toEqual({ count: 1_000, different: 1_000 })
  },
)
