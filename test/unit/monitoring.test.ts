// What users are given to watch an instance, held against the registry: the list in the docs, the alert rules, the dashboard.
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeMetrics } from '../../src/platform/metrics'

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; description: string }
}

interface Dashboard {
  uid: string
  templating: { list: { name: string; definition?: string }[] }
  panels: { id: number; title: string; type: string; targets?: { refId: string; expr: string }[] }[]
}

interface Figure {
  name: string
  type: string
  labels: string[]
}

const root = join(import.meta.dir, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const figures = served()

function served(): Figure[] {
  return makeMetrics()
    .registry.getMetricsAsArray()
    .map(metric => {
      // The registry's own type leaves out what every metric has.
      const { name, type, labelNames } = metric as unknown as Figure & { labelNames: string[] }
      return { name, type, labels: [...labelNames].sort() }
    })
}

/** Every series that a scrape holds, with the labels that it may have. */
function series(): Map<string, string[]> {
  const added = ['job', 'instance']
  const own = figures.flatMap(({ name, type, labels }): [string, string[]][] =>
    type === 'histogram'
      ? [
          [`${name}_bucket`, [...labels, 'le']],
          [`${name}_sum`, labels],
          [`${name}_count`, labels],
        ]
      : [[name, labels]],
  )
  return new Map(
    [...own, ['up', []] as [string, string[]]].map(([name, labels]) => [name, [...labels, ...added]]),
  )
}

/** What an expression asks for that no scrape has: unknown series, and labels that its series do not carry. */
function faultsOf(expression: string): string[] {
  const known = series()
  const words = expression.replaceAll(/"[^"]*"/g, '""')
  const names = [...words.matchAll(/\b(up|waxwing_\w+|process_\w+)\b/g)].map(match => match[1]!)
  const labels = [
    ...[...words.matchAll(/\b(\w+)\s*(?:=~|!~|!=|=)\s*""/g)].map(match => match[1]!),
    ...[...words.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(match =>
      match[1]!.split(',').map(each => each.trim()),
    ),
  ]
  const carried = new Set(names.flatMap(name => known.get(name) ?? []))
  return [
    ...(names.length === 0 ? ['no figure'] : []),
    ...names.filter(name => !known.has(name)),
    ...labels.filter(label => !carried.has(label)),
  ]
}

const rules = (Bun.YAML.parse(read('deploy/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  group => group.rules,
)
const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as Dashboard

test('the docs list every figure with its type and labels, and no other', () => {
  const table = /<!-- metrics -->([\s\S]*)<!-- \/metrics -->/.exec(read('docs/monitoring.md'))![1]!
  const rows = table
    .trim()
    .split('\n')
    .slice(2)
    .map(line => line.split('|').map(cell => cell.trim()))
  const listed = rows.map(([, name, type, labels]) => ({
    name: name!.replaceAll('`', ''),
    type: type!,
    labels: [...labels!.matchAll(/`(\w+)`/g)].map(match => match[1]!).sort(),
  }))
  expect(listed).toEqual(figures)
  expect(rows.filter(([, , , , meaning]) => !meaning)).toEqual([])
})

test('series that an alert waits for are there before their first event', async () => {
  const text = await makeMetrics().registry.metrics()
  expect(text).toContain('waxwing_project_suspensions_total{reason="EMAIL_REPUTATION"} 0')
  expect(text).toContain('waxwing_tracking_hits_total{outcome="lost"} 0')
})

describe('the alert rules', () => {
  test.each(rules.map(rule => [rule.alert, rule] as const))('%s asks for what is there', (_, rule) => {
    expect(faultsOf(rule.expr)).toEqual([])
    expect(['critical', 'warning']).toContain(rule.labels.severity)
    expect(rule.for ?? '1m').toMatch(/^\d+[smh]$/)
    expect(rule.annotations.summary.length * rule.annotations.description.length).toBeGreaterThan(0)
  })

  test('have names of their own, each explained in the docs', () => {
    const names = rules.map(rule => rule.alert)
    const explained = [...read('docs/monitoring.md').matchAll(/^\| `(Waxwing\w+)` \|/gm)].map(
      match => match[1]!,
    )
    expect(names.length).toBeGreaterThan(5)
    expect(explained).toEqual(names)
  })

  test('are loaded by the configuration beside them', () => {
    const { rule_files: files, scrape_configs: jobs } = Bun.YAML.parse(read('deploy/prometheus.yaml')) as {
      rule_files: string[]
      scrape_configs: { job_name: string }[]
    }
    expect(files.filter(name => !existsSync(join(root, 'deploy', name)))).toEqual([])
    expect(files).toEqual(['alerts.yaml'])
    // The rule about an instance that is down names the job.
    expect(jobs.map(job => `up{job="${job.job_name}"} == 0`)).toEqual([rules[0]!.expr])
  })
})

describe('the dashboard', () => {
  const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(target => [title, target.expr] as const),
  )

  test.each(queries)('%s asks for what is there: %s', (_, expression) => {
    expect(faultsOf(expression)).toEqual([])
  })

  test('shows every figure', () => {
    const shown = queries.map(([, expression]) => expression).join('\n')
    const missing = figures.filter(({ name }) => !shown.includes(name)).map(({ name }) => name)
    expect(missing).toEqual([])
  })

  test('has ids that are its panels’ own, and only variables that it declares', () => {
    const ids = dashboard.panels.map(panel => panel.id)
    expect(new Set(ids).size).toBe(ids.length)
    const declared = dashboard.templating.list.map(variable => variable.name)
    const used = [...JSON.stringify(dashboard).matchAll(/\$\{?([a-z]\w*)\}?/g)].map(match => match[1]!)
    expect([...new Set(used)].filter(name => !declared.includes(name))).toEqual([])
    expect(
      dashboard.templating.list.flatMap(({ definition }) => (definition ? faultsOf(definition) : [])),
    ).toEqual([])
  })
})

test.each([
  ['sum(waxwing_mails_total)', ['waxwing_mails_total']],
  ['waxwing_http_request_seconds > 1', ['waxwing_http_request_seconds']],
  ['waxwing_queue_depth{kind="bulk"}', ['kind']],
  ['sum by (le, band) (waxwing_queue_depth)', ['le']],
  ['vector(1)', ['no figure']],
])('an expression that asks for nothing is found out: %s', (expression, faults) => {
  expect(faultsOf(expression)).toEqual(faults)
})
