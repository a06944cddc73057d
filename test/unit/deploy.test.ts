// The files of deploy/ and of the workflows: they can be parsed, and name what exists.
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { targets } from '../../scripts/pack-postgres'
import { findCommand } from '../../src/cli/commands'
import { setupText } from '../../src/modules/accounts/users/tokens'
import { settingNamed } from '../../src/settings/config'

interface Release {
  jobs: {
    binary: { strategy: { matrix: { include: { target: string }[] } } }
    publish: { needs: string[] }
  }
}

interface Compose {
  services: {
    waxwing: { volumes: string[]; environment: Record<string, string>; stop_grace_period: string }
  }
  volumes: Record<string, unknown>
}

const root = join(import.meta.dir, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const parsed = (path: string): unknown => Bun.YAML.parse(read(path))

describe('the workflows', () => {
  test('of a release build every target, try each binary and publish checksums', () => {
    const { jobs } = parsed('.github/workflows/release.yml') as Release
    const built = jobs.binary.strategy.matrix.include.map(entry => entry.target)
    expect(built.sort()).toEqual([...targets].sort())
    expect(jobs.publish.needs.sort()).toEqual(['binary', 'image'])
    expect(read('.github/workflows/release.yml')).toMatch(/bun scripts\/release\.ts files .*SHA256SUMS/)
  })

  test('run scripts that package.json has', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    for (const path of ['ci', 'release'].map(name => `.github/workflows/${name}.yml`)) {
      const used = [...read(path).matchAll(/bun run ([\w-]+)/g)].map(match => match[1]!)
      expect(used.filter(name => !scripts[name])).toEqual([])
      for (const [, file] of read(path).matchAll(/bun (scripts\/[\w.-]+)/g))
        expect(existsSync(join(root, file!))).toBe(true)
    }
  })

  test('use one version of Bun, the one that the image is built with', () => {
    const texts = ['.github/workflows/ci.yml', '.github/workflows/release.yml', 'Dockerfile'].map(read)
    const versions = texts.flatMap(text =>
      [...text.matchAll(/bun(?:-version: |@)(\d+\.\d+\.\d+)/g)].map(match => match[1]),
    )
    expect(new Set(versions).size).toBe(1)
  })
})

test('the image has what the program looks for: certificates, C++, and the OpenSSL 3 that signs', () => {
  const [, packages] = /apt-get install -y --no-install-recommends ([^\\\n]+)/.exec(read('Dockerfile'))!
  expect(packages!.trim().split(' ')).toEqual(['ca-certificates', 'libssl3', 'libstdc++6'])
})

describe('deploy/', () => {
  test('is one service that keeps its volume and has time to stop', () => {
    const { services, volumes } = parsed('deploy/compose.yaml') as Compose
    expect(Object.keys(services)).toEqual(['waxwing'])
    const { waxwing } = services
    expect(waxwing.volumes).toEqual([`data:${waxwing.environment.DATA_DIR}`])
    expect(Object.keys(volumes)).toEqual(['data'])
    expect(Number.parseInt(waxwing.stop_grace_period, 10)).toBeGreaterThan(45)
  })

  test.each(['waxwing.service', 'waxwing-backup.service', 'waxwing-doctor.service'])(
    '%s calls a command and sets settings that exist',
    name => {
      const unit = read(`deploy/${name}`)
      const command = /waxwing (serve|backup|doctor)\b/.exec(unit.split('ExecStart=')[1]!)![1]!
      expect(findCommand(command)).toBeDefined()
      const assignments = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(match => match[1]!.split(' '))
      expect(assignments.map(text => text.split('=')[0]!).filter(name => !settingNamed(name))).toEqual([])
    },
  )

  test('the daily backup holds the secrets, and only their owner can read it', () => {
    const unit = read('deploy/waxwing-backup.service')
    expect(/^ExecStart=.*waxwing backup (\S+)\/\S+ .*--with-secrets/m.exec(unit)?.[1]).toBe(
      '/var/lib/waxwing-backups',
    )
    expect(unit).toMatch(/^StateDirectory=waxwing-backups$/m)
    expect(unit).toMatch(/^StateDirectoryMode=0700$/m)
    expect(unit).toMatch(/^UMask=0077$/m)
  })

  test('documents link to files that are there', () => {
    for (const page of ['backup', 'upgrade', 'self-hosting'])
      for (const [, link] of read(`docs/${page}.md`).matchAll(/\]\(([^)#:]+)\)/g))
        expect(existsSync(join(root, 'docs', link!))).toBe(true)
  })
})

describe('the reverse proxies keep figures to the machine', () => {
  test('nginx, with and without the last slash', () => {
    const [, pattern, body] = /location ~ (\S+) \{\s*([^}]*?)\s*\}/.exec(read('deploy/nginx.conf'))!
    const hidden = ['/metrics', '/metrics/', '/metricsx', '/v1/metrics'].filter(path =>
      new RegExp(pattern!).test(path),
    )
    expect({ hidden, body }).toEqual({ hidden: ['/metrics', '/metrics/'], body: 'return 404;' })
  })

  test('Caddy, with and without the last slash', () => {
    const text = read('deploy/Caddyfile')
    const [, name, paths] = /(@\w+) path (.*)/.exec(text)!
    expect(paths!.split(' ')).toEqual(['/metrics', '/metrics/'])
    expect(text).toContain(`respond ${name} 404`)
  })
})

test('the first mail of the README is what a start prints, without its token', () => {
  const flat = (text: string): string =>
    text.replaceAll(/\\\n\s*/g, '').replaceAll(/,"setupToken":"[^"]*"/g, '')
  const commandsOf = (text: string): string[] =>
    flat(text)
      .split('\n')
      .map(line => line.trim())
      .filter(line => /^(key=\$\()?curl /.test(line))
  const section = read('README.md').split('## The first mail')[1]!
  const block = /```bash\n([\s\S]*?)```/.exec(section)![1]!
  const printed = commandsOf(setupText('http://localhost:3000', 'a-token', 'data/outbox'))
  expect(printed).toHaveLength(3)
  expect(commandsOf(block)).toEqual(printed)
})
