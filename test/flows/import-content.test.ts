// What other programs have besides contacts: layouts, templates, campaigns as drafts and workflows, each taken whole or not at all, with the
// reason; a dry run that counts the same, and a second run that changes nothing.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApi } from '../../src/cli/import/api'
import { emptyReport, lossTable, noteLost, refuse, reportText } from '../../src/cli/import/report'
import { listmonkDatabase } from '../../src/cli/import/sources/listmonk-database'
import { notifuseSource } from '../../src/cli/import/sources/notifuse'
import { plunkSource } from '../../src/cli/import/sources/plunk'
import { usesendSource } from '../../src/cli/import/sources/usesend'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type ImportWorld, importWorld } from '../support/import'
import { listmonkContentTables, listmonkTables } from '../support/listmonk'
import type { MadeProject } from '../support/make'
import { type PeerServer, servePeer } from '../support/peer-server'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let project: MadeProject
let imports: ImportWorld
let server: PeerServer | undefined
beforeAll(async () => {
  world = await makeWorld()
  imports = importWorld(world, () => project)
})
beforeEach(async () => {
  project = await world.newProject()
})
afterEach(async () => {
  await server?.close()
  server = undefined
})
afterAll(() => world.close())

const get = async (path: string) => (await imports.call('GET', path)).body
const apiOf = (peer: PeerServer) => openApi({ address: peer.address, headers: {}, pause: async () => {} })

describe('listmonk', () => {
  let other: TestDatabase
  beforeAll(async () => {
    other = await cloneDatabase({ empty: true, max: 1 })
    await other.sql.unsafe(listmonkTables)
    await other.sql.unsafe(listmonkContentTables)
    const layout =
      '<html><head><title>{{ .Campaign.Subject }}</title></head><body>{{ template "content" . }}' +
      '<a href="{{ UnsubscribeURL }}">{{ L.T "email.unsub" }}</a>{{ TrackView }}</body></html>'
    await other.sql`insert into templates ${other.sql([
      { name: 'House', type: 'campaign', subject: '', body: layout },
      { name: 'Dated', type: 'campaign', subject: '', body: '{{ template "content" . }}\n{{ Date "2006" }}' },
      { name: 'Blocks', type: 'campaign_visual', subject: '', body: '<p>x</p>' },
      { name: 'Code', type: 'tx', subject: 'Code {{ .Tx.Data.code }}', body: '<p>{{ .Tx.Data.code }}</p>' },
    ] as never)}`
    const campaign = (values: Record<string, unknown>) => ({
      ...{
        name: 'Spring',
        subject: 'Hi {{ .Subscriber.FirstName }}',
        from_email: `Acme <${sender}>`,
        template_id: 1,
      },
      ...{
        body: '<p>Dear {{ .Subscriber.Name }} of {{ .Subscriber.Attribs.city }}</p>',
        content_type: 'html',
      },
      ...{ altbody: null, status: 'draft', type: 'regular', messenger: 'email', ...values },
    })
    await other.sql`insert into campaigns ${other.sql([
      campaign({}),
      campaign({
        status: 'scheduled',
        content_type: 'plain',
        body: '1 < 2 {{ .Subscriber.Email }}',
        template_id: null,
      }),
      campaign({ name: 'Sent', status: 'finished' }),
      campaign({ name: 'If', body: '<p>a</p>\n{{ if .Subscriber.Attribs.x }}b{{ end }}' }),
      campaign({ name: 'In Dated', template_id: 2 }),
      campaign({ name: 'Confirm', type: 'optin' }),
      campaign({ name: 'Down', content_type: 'markdown', body: '# x' }),
      campaign({ name: 'Strange', from_email: 'me@elsewhere.test', altbody: 'plain' }),
      campaign({ name: 'No list' }),
      campaign({ name: 'Images', body: '<img src="https://lists.example.com/uploads/a.png" alt="">' }),
    ] as never)}`
    await other.sql`insert into campaign_lists (campaign_id, list_id)
      select c.id, l.id from campaigns c, lists l where c.name <> 'No list' and (l.id = 1 or c.name = 'Strange')`
  })
  afterAll(() => other.drop())

  const source = (choices = {}) => listmonkDatabase(other.url, { topics: true, content: true, ...choices })

  test('templates for campaigns are layouts, those for single mails templates, and campaigns drafts', async () => {
    const dry = await imports.run(source(), { isDryRun: true, from: sender })
    expect((await get('/layouts')).data).toEqual([])
    expect((await get('/topics')).data).toEqual([])
    const report = await imports.run(source(), { from: sender })
    expect(report).toEqual(dry)
    expect([...report.content]).toEqual([
      ['layout', { created: 1, present: 0 }],
      ['template', { created: 1, present: 0 }],
      ['campaign', { created: 4, present: 0 }],
    ])
    expect(report.lost.map(({ place, reason }) => `${place}: ${reason}`)).toEqual([
      'template 2 (Dated): not taken: line 2: {{ Date "2006" }}',
      'template 3 (Blocks): not taken: a starting point for its visual editor',
      'template 4 (Code): its sender lists@sender.test is not verified here: it is from hello@acme.example',
      'template 4 (Code): it is no whole document, so it gets the frame that emails have here',
      'campaign 3 (Sent): not taken: it is finished; --finished takes it as a draft',
      'campaign 4 (If): not taken: line 2: {{ if .Subscriber.Attribs.x }}',
      'campaign 4 (If): not taken: line 2: {{ end }}',
      'campaign 5 (In Dated): not taken: its layout was not taken',
      'campaign 6 (Confirm): not taken: it asks for confirmation, which forms do here',
      'campaign 7 (Down): not taken: written in Markdown: save it as HTML there first',
      'campaign 8 (Strange): its sender me@elsewhere.test is not verified here: it is from hello@acme.example',
      'campaign 8 (Strange): without its own text part: here it is made from the HTML',
      'campaign 9 (No list): not taken: it has no list, so it would have no audience here',
      'campaign 10 (Images): its images stay where they are: https://lists.example.com/uploads/',
    ])
    const [layout] = (await get('/layouts')).data
    expect(layout).toMatchObject({ name: 'House' })
    expect(layout.body).toContain('<body>{{ content }}<a href="{{ unsubscribeUrl }}">Abmelden</a></body>')
    expect((await get('/templates')).data).toMatchObject([
      { name: 'Code', subject: 'Code {{ code }}', body: '<p>{{ code }}</p>', type: 'TRANSACTIONAL' },
    ])
    const topics = new Map(
      (await get('/topics')).data.map((one: { name: string; id: string }) => [one.name, one.id]),
    )
    const campaigns = (await get('/campaigns?sort=name&dir=asc')).data
    expect(campaigns).toMatchObject(
      [
        { name: 'Images', status: 'DRAFT' },
        { name: 'Spring', topicId: topics.get('Weekly'), layoutId: layout.id, audienceType: 'ALL' },
        { name: 'Spring (2)', status: 'DRAFT', scheduledFor: null, layoutId: null },
        { name: 'Strange', from: sender, fromName: 'Acme', audienceType: 'FILTERED' },
      ].map(one => (one.name === 'Strange' ? { ...one, fromName: null } : one)),
    )
    expect(campaigns[1]).toMatchObject({
      ...{ subject: 'Hi {{ firstName }}', from: sender, fromName: 'Acme' },
      body: '<p>Dear {{ name }} of {{ city }}</p>',
    })
    expect(campaigns[2].body).toBe('<div style="white-space: pre-wrap">1 &lt; 2 {{ email }}</div>')
    expect(campaigns[3].totalRecipients).toBe(2)
    expect(reportText(report, false)).toContain('campaigns    4 created, 0 there already')
  })

  test('a draft reads here as it read there', async () => {
    await other.sql`update subscribers set name = 'Dr Ada Lovelace' where email = 'single@example.com'`
    await imports.run(source(), { from: sender })
    const { data } = await get('/campaigns?search=Spring&sort=name&dir=asc')
    const { id: contactId } = (await get('/contacts?search=single@')).data[0]
    const preview = (await imports.call('POST', `/campaigns/${data[0].id}/preview`, { contactId })).body
    expect(preview.subject).toBe('Hi Ada')
    expect(preview.html).toContain('<p>Dear Dr Ada Lovelace of Oslo</p>')
    expect(preview.html).toContain('Abmelden</a>')
  })

  test('a second run changes nothing; without topics no campaign is taken; sent ones come if asked for', async () => {
    await imports.run(source(), { from: sender })
    const before = await get('/campaigns?sort=name&dir=asc')
    const again = await imports.run(source(), { from: sender })
    expect([...again.content.values()]).toEqual([
      { created: 0, present: 1 },
      { created: 0, present: 1 },
      { created: 0, present: 4 },
    ])
    expect(await get('/campaigns?sort=name&dir=asc')).toEqual(before)
    const finished = await imports.run(source({ finished: true }), { from: sender })
    expect(finished.content.get('campaign')).toEqual({ created: 1, present: 4 })
    expect((await get('/campaigns?search=Sent')).data).toMatchObject([{ status: 'DRAFT', sentCount: 0 }])
    project = await world.newProject()
    const without = await imports.run(source({ topics: false }))
    expect(without.content.get('campaign')).toBeUndefined()
    expect(without.lost.filter(({ reason }) => reason.includes('--topics')).length).toBeGreaterThan(5)
    // The sender is not verified here, and no other was named.
    expect(without.lost.find(({ place }) => place.startsWith('template 4'))!.reason).toStartWith(
      'not taken: ',
    )
  })
})

describe('Plunk', () => {
  const steps = (templateId: string) => {
    const step = (id: string, type: string, config: object, to: object[] = []) => ({
      ...{
        id,
        type,
        name: type,
        config,
        position: { x: 1, y: 2 },
        templateId: type === 'SEND_EMAIL' ? templateId : null,
      },
      outgoingTransitions: to,
    })
    const edge = (fromStepId: string, toStepId: string, condition: object | null = null) => ({
      ...{ id: `${fromStepId}${toStepId}`, fromStepId, toStepId, condition, priority: 0 },
    })
    return [
      step('a', 'TRIGGER', { eventName: 'signed.up' }, [edge('a', 'b')]),
      step('b', 'DELAY', { amount: 2, unit: 'days' }, [edge('b', 'c')]),
      step('c', 'CONDITION', { field: 'data.plan', operator: 'equals', value: 'pro' }, [
        edge('c', 'd', { branch: 'yes' }),
        edge('c', 'e', { branch: 'no' }),
      ]),
      step('d', 'SEND_EMAIL', { templateId }),
      step('e', 'EXIT', { reason: 'free' }),
    ]
  }

  function serve(): PeerServer {
    const templates = Array.from({ length: 101 }, (_, n) => ({
      ...{
        id: `t${n}`,
        name: n === 100 ? 'Template 99' : `Template ${n}`,
        subject: 'Hi {{name ?? "you"}}',
        body: '<p>{{name}}</p>',
      },
      ...{
        from: n === 1 ? 'me@elsewhere.test' : sender,
        fromName: 'Acme',
        replyTo: null,
        type: 'TRANSACTIONAL',
      },
    }))
    templates[2]!.body = '{{plunk_id}}'
    templates[3]!.body = '{% if %}'
    const workflow = (id: string, templateId: string) => ({
      ...{
        id,
        name: `Welcome ${id}`,
        description: null,
        triggerType: 'EVENT',
        triggerConfig: { eventName: 'signed.up' },
      },
      ...{ enabled: true, allowReentry: true, steps: steps(templateId) },
    })
    const workflows = [workflow('w1', 't0'), workflow('w2', 't1'), { ...workflow('w3', 't0'), steps: [] }]
    const campaigns = [
      { id: 'k1', name: 'All', audienceType: 'ALL', status: 'DRAFT' },
      { id: 'k2', name: 'Pros', audienceType: 'SEGMENT', segmentId: 's1', status: 'SCHEDULED' },
      { id: 'k3', name: 'List', audienceType: 'SEGMENT', segmentId: 's2', status: 'DRAFT' },
      { id: 'k4', name: 'Old', audienceType: 'ALL', status: 'SENT' },
    ].map(one => ({ ...one, subject: 's', body: '<p>b</p>', from: sender, type: 'MARKETING' }))
    const condition = {
      logic: 'AND',
      groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
    }
    const paged = (rows: object[]) => (query: URLSearchParams) => {
      const [page, size] = [Number(query.get('page')), Number(query.get('pageSize'))]
      return { data: rows.slice((page - 1) * size, page * size), page, pageSize: size, total: rows.length }
    }
    const one = (rows: Array<{ id: string }>) => (_: URLSearchParams, path: string) =>
      rows.find(({ id }) => path.endsWith(`/${id}`))
    server = servePeer({
      '/contacts': () => ({ data: [], hasMore: false, total: 0 }),
      '/events': () => ({ events: [] }),
      '/events/names': () => ({ eventNames: ['signed.up', 'left'] }),
      '/segments': () => [
        { id: 's1', name: 'Pros', description: 'Who pay', type: 'DYNAMIC', condition, trackMembership: true },
        { id: 's2', name: 'By hand', type: 'STATIC', condition: null },
      ],
      '/templates': paged(templates),
      '/workflows': paged(workflows),
      '/workflows/*': one(workflows),
      '/campaigns': paged(campaigns),
      '/campaigns/*': (query, path) => ({ success: true, data: one(campaigns)(query, path) }),
    })
    return server
  }

  test('segments, templates, workflows and drafts come by our own rules; what these refuse is told', async () => {
    const source = plunkSource(apiOf(serve()), { content: true })
    const dry = await imports.run(source, { isDryRun: true })
    expect((await get('/templates')).total).toBe(0)
    const report = await imports.run(source)
    expect(report).toEqual(dry)
    expect(Object.fromEntries(report.content)).toEqual({
      segment: { created: 1, present: 0 },
      template: { created: 98, present: 0 },
      workflow: { created: 1, present: 0 },
      campaign: { created: 2, present: 0 },
    })
    const told = report.lost.map(({ place, reason }) => `${place}: ${reason}`)
    expect(told).toContain('segment s2 (By hand): not taken: a static segment: its members are not read')
    expect(told).toContain('template t2 (Template 2): not taken: it names plunk_id')
    expect(told).toContain('campaign k2 (Pros): without its date: it is a draft here')
    expect(told).toContain('campaign k3 (List): not taken: its segment was not taken')
    expect(told).toContain('campaign k4 (Old): not taken: it is sent')
    expect(told).toContain(
      'workflow w1 (Welcome w1): it is off here, and people who are in it are not taken along',
    )
    expect(told.filter(line => /^(template t[13]|workflow w[23]) .*: not taken: /.test(line)).length).toBe(4)
    expect(told.at(-1)).toContain('2 names come with the first of each: signed.up, left')
    const [{ id, enabled, allowReentry }] = (await get('/workflows')).data
    expect([enabled, allowReentry]).toEqual([false, true])
    const { steps: made, transitions } = await get(`/workflows/${id}`)
    expect(made.map((step: { type: string }) => step.type)).toEqual([
      'TRIGGER',
      'DELAY',
      'CONDITION',
      'SEND_EMAIL',
      'EXIT',
    ])
    expect(made[3].template.name).toBe('Template 0')
    expect(transitions).toHaveLength(4)
    const again = await imports.run(source)
    expect([...again.content.values()].reduce((sum, { created }) => sum + created, 0)).toBe(0)
  })
})

test('templates of Notifuse come with our names for its fields', async () => {
  const email = (subject: string, compiled_preview: string, more = {}) => ({
    email: { subject, compiled_preview, editor_mode: 'visual', sender_id: 'x', ...more },
  })
  server = servePeer({
    '/api/lists.list': () => ({ lists: [] }),
    '/api/contacts.list': () => ({ contacts: [] }),
    '/api/templates.list': () => ({
      templates: [
        {
          ...{ id: 'welcome', name: 'Welcome', category: 'marketing' },
          ...email(
            'Hi {{ contact.first_name | default: "you" }}',
            '<a href="{{ unsubscribe_url }}">{{contact.email}}</a>',
          ),
        },
        {
          id: 'code',
          name: 'Code',
          category: 'transactional',
          ...email('x', '<mjml>', { editor_mode: 'code' }),
        },
        {
          id: 'odd',
          name: 'Odd',
          category: 'marketing',
          ...email('x', 'a\n{% if contact.vip %}b{% endif %}{{ list.name }}{% if list.name %}c{% endif %}'),
        },
        {
          ...{ id: 'receipt', name: 'Receipt', category: 'transactional' },
          ...email(
            'Order {{ order.number }}',
            '{% if contact.first_name == "contact.x" %}{{ contact.first_name }}{% else %}you{% endif %}' +
              '{% for item in order.items %}{{ item.name | upcase }}{% endfor %}',
          ),
        },
      ],
    }),
  })
  const source = notifuseSource(apiOf(server), 'ws', { content: true })
  const report = await imports.run(source, { from: sender })
  expect((await get('/templates')).data).toMatchObject([
    {
      ...{ name: 'Receipt', subject: 'Order {{ order.number }}', type: 'TRANSACTIONAL' },
      body:
        '{% if firstName == "contact.x" %}{{ firstName }}{% else %}you{% endif %}' +
        '{% for item in order.items %}{{ item.name | upcase }}{% endfor %}',
    },
    {
      ...{ name: 'Welcome', subject: 'Hi {{ firstName | default: "you" }}', type: 'MARKETING', from: sender },
      body: '<a href="{{ unsubscribeUrl }}">{{ email }}</a>',
    },
  ])
  expect(report.lost.map(({ reason }) => reason)).toEqual([
    'not taken: written as MJML: save its HTML',
    'not taken: line 2: {{ list.name }}',
    'not taken: line 2: {% if list.name %}',
    'its values are printed as text here: write {{ name | raw }} for one that holds HTML',
  ])
  project = await world.newProject()
  expect((await imports.run(source)).lost[0]!.reason).toBe(
    'not taken: its sender is not known: name one with --from',
  )
})

test('campaigns of useSend are drafts for the topic of their contact book', async () => {
  const campaign = (
    id: string,
    status: string,
    html: string | null,
    contactBookId: string | null = 'b1',
  ) => ({
    ...{
      id,
      name: `Campaign ${id}`,
      from: `Acme <${sender}>`,
      subject: 'Hi {{FirstName,fallback=there}}',
      html,
      status,
    },
    ...{ contactBookId, previewText: null },
  })
  const campaigns = [
    campaign('1', 'DRAFT', '<a href="{{unsend_unsubscribe_url}}">{{ contact.City }} {{email}}</a>'),
    campaign('2', 'SENT', '<p>x</p>'),
    campaign('3', 'DRAFT', null),
    campaign('4', 'DRAFT', '{{unknown}}'),
    campaign('5', 'DRAFT', '<p>x</p>', null),
  ]
  server = servePeer({
    '/api/v1/contactBooks': () => [{ id: 'b1', name: 'News', variables: ['city'] }],
    '/api/v1/contactBooks/*': () => [],
    '/api/v1/campaigns': query => ({
      campaigns: query.get('page') === '1' ? campaigns.slice(0, 3) : campaigns.slice(3),
      totalPage: 2,
    }),
    '/api/v1/campaigns/*': (_, path) => campaigns.find(({ id }) => path.endsWith(`/${id}`)),
  })
  const report = await imports.run(usesendSource(apiOf(server), { content: true, topics: true }))
  const [topic] = (await get('/topics')).data
  expect((await get('/campaigns')).data).toMatchObject([
    {
      ...{
        name: 'Campaign 1',
        subject: 'Hi {{ firstName ?? "there" }}',
        fromName: 'Acme',
        topicId: topic.id,
      },
      body: '<a href="{{ unsubscribeUrl }}">{{ city }} {{ email }}</a>',
    },
  ])
  expect(report.lost.map(({ place, reason }) => `${place}: ${reason}`)).toEqual([
    'campaign 2 (Campaign 2): not taken: it is sent',
    'campaign 3 (Campaign 3): not taken: useSend makes its HTML only when it is sent',
    'campaign 4 (Campaign 4): not taken: line 1: {{unknown}}',
    'campaign 5 (Campaign 5): not taken: it has no contact book, so it would have no audience here',
    'templates: not taken: the API of useSend does not offer them',
  ])
})

test('what could not be taken is a table that a spreadsheet runs nothing of', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waxwing-import-'))
  const path = join(folder, 'lost.csv')
  const report = { ...emptyReport(), onLoss: lossTable(path) }
  refuse(report, { place: 'line 2', email: '=1+1' }, 'the address is not valid')
  noteLost(report, 'template 2 (A, "B")', 'not taken: line 2: {{ end }}')
  expect(await Bun.file(path).text()).toBe(
    'what,place,email,reason\r\n' +
      "refused,line 2,'=1+1,the address is not valid\r\n" +
      'not taken,"template 2 (A, ""B"")",,not taken: line 2: {{ end }}\r\n',
  )
  rmSync(folder, { recursive: true })
  expect(() => lossTable(path)).toThrow('cannot be written (ENOENT)')
})
