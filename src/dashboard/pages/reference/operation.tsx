// One operation: what it does, code for it with the keys of the project, trying it, and its requests and answers.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/error'
import { type ReferenceOperation, type TrialAnswer, tryOut } from '../../api/reference'
import { NotFound } from '../../app/failures'
import { type Project, useProject } from '../../app/session'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { Badge } from '../../ui/badge'
import { Confirm } from '../../ui/confirm'
import { CodeBlock, CopyButton } from '../../ui/copy'
import { TextArea, TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { formatJson, formatMs } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Card, Page } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { referenceQuery, useFilling } from './data'
import { MemberRow, Method, Shape, Words } from './members'

const route = getRouteApi('/inside/docs/$id')

export function ApiOperation() {
  const { id } = route.useParams()
  const query = useQuery(referenceQuery)
  return (
    <Loaded page query={query}>
      {({ sections }) => {
        const operation = sections.flatMap(section => section.operations).find(each => each.id === id)
        return operation ? <Shown key={id} operation={operation} /> : <NotFound />
      }}
    </Loaded>
  )
}

function Shown({ operation }: { operation: ReferenceOperation }) {
  const { method, path, summary, description, parameters, bodies, answers } = operation
  return (
    <Page
      title={summary || path}
      description={
        <span className="flex items-center gap-x-2 text-ink">
          <Method method={method} />
          <code className="min-w-0 font-mono text-[0.8125rem] wrap-anywhere">{path}</code>
          <CopyButton text={path} />
        </span>
      }
      above={<BackLink to="/docs">{t.navigation.apiReference}</BackLink>}
    >
      <div className="space-y-2">
        {description && (
          <p className="max-w-2xl whitespace-pre-line">
            <Words text={description} />
          </p>
        )}
        <p className="max-w-2xl text-quiet">
          {t.reference.credentials}: {credentialsOf(operation)}
        </p>
      </div>
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <div className="min-w-0 space-y-6 xl:sticky xl:top-6 xl:max-h-[calc(100dvh-3rem)] xl:overflow-y-auto">
          <Code operation={operation} />
          <Trying operation={operation} />
        </div>
        <div className="min-w-0 space-y-6">
          {parameters.length > 0 && (
            <Card title={t.reference.parameters}>
              <ul className="-my-2 divide-y divide-line">
                {parameters.map(each => (
                  <MemberRow key={each.path} member={each} aside={t.reference.places[each.place]} />
                ))}
              </ul>
            </Card>
          )}
          {bodies.map(shape => (
            <Card key={shape.media} title={t.words.body} description={shape.media}>
              <Shape shape={{ ...shape, example: undefined }} />
            </Card>
          ))}
          <Card title={t.reference.answers}>
            <ul className="-my-3 divide-y divide-line">
              {answers.map(answer => (
                <li key={answer.status} className="space-y-2 py-3">
                  <p className="flex items-baseline gap-2.5">
                    <Badge tone={Number(answer.status) < 400 ? 'good' : 'neutral'}>{answer.status}</Badge>
                    <span className="min-w-0 text-quiet">
                      <Words text={answer.description} />
                    </span>
                  </p>
                  <Shape shape={answer} />
                </li>
              ))}
            </ul>
          </Card>
        </div>
      </div>
    </Page>
  )
}

function credentialsOf({ credentials, scopes }: ReferenceOperation): string {
  if (credentials.length === 0) return t.reference.none
  const named = (name: string): string => t.reference.credentialNames[name] ?? name
  const pairs = credentials.map(names => names.map(named).join(t.reference.with))
  const scoped = scopes ? [t.reference.withScopes(scopes.join(' + '))] : []
  return [...pairs, ...scoped].join(t.reference.or)
}

/** Kept from one operation to the next. */
let lastLanguage = 'curl'

function Code({ operation: { samples } }: { operation: ReferenceOperation }) {
  const fill = useFilling()
  const [language, setLanguage] = useState(lastLanguage)
  if (!samples) return null
  const names = Object.keys(samples)
  const chosen = names.includes(language) ? language : names[0]!
  return (
    <Card title={t.reference.code}>
      <Tabs
        label={t.reference.code}
        tabs={names.map(name => ({ name, label: name }))}
        value={chosen}
        onChange={name => {
          lastLanguage = name
          setLanguage(name)
        }}
      >
        <CodeBlock code={fill(samples[chosen]!)} />
      </Tabs>
    </Card>
  )
}

/** Trying an operation: its parameters and body as a form, and the answer. The call is real, and the page says so. */
export function Trying({ operation }: { operation: ReferenceOperation }) {
  const { method, path, parameters, bodies } = operation
  const project = useProject()
  const [answer, setAnswer] = useState<TrialAnswer>()
  const [waiting, setWaiting] = useState<Values>()
  const json = bodies.find(({ media }) => media === 'application/json')
  const credential = credentialOf(operation, project)
  const example = useFilling()(JSON.stringify(json?.example ?? {}, null, 2))
  const send = async (values: Values): Promise<void> => {
    const body = json ? jsonOf(values[bodyName] ?? '') : undefined
    setAnswer(await tryOut({ method, path: pathOf(operation, values), key: credential.key, body }))
  }
  if (bodies.length > 0 && !json)
    return (
      <Card title={t.reference.tryIt}>
        <p className="text-quiet">{t.reference.noTrial}</p>
      </Card>
    )
  const hint = method === 'GET' ? t.reference.readHint(project.name) : t.reference.tryHint(project.name)
  return (
    <Card title={t.reference.tryIt} description={`${hint} ${credential.said}`}>
      <Form onSubmit={values => (method === 'DELETE' ? setWaiting(values) : send(values))}>
        {parameters
          .filter(({ place }) => place === 'path' || place === 'query')
          .map(({ path: name, required, type }) => (
            <TextField
              key={name}
              name={name}
              label={<code className="font-mono text-[0.8125rem]">{name}</code>}
              placeholder={type}
              required={required}
              optional={!required}
              autoComplete="off"
            />
          ))}
        {json && (
          <TextArea
            name={bodyName}
            label={t.reference.bodyJson}
            rows={Math.min(example.split('\n').length + 1, 16)}
            key={example}
            defaultValue={example}
            className="overflow-x-auto whitespace-pre font-mono text-[0.8125rem]! leading-relaxed"
            spellCheck={false}
          />
        )}
        <SubmitButton variant="plain">{t.reference.send}</SubmitButton>
      </Form>
      <Confirm
        open={waiting !== undefined}
        onClose={() => setWaiting(undefined)}
        title={`${method} ${path}`}
        consequence={t.reference.deletes(`${method} ${path}`)}
        action={t.reference.send}
        onConfirm={() => send(waiting!)}
      />
      {answer && <Answer answer={answer} />}
    </Card>
  )
}

/** No parameter is called that. */
const bodyName = '{body}'

function Answer({ answer: { status, ms, text } }: { answer: TrialAnswer }) {
  return (
    <div role="status" className="mt-5 space-y-2">
      <p className="flex items-center gap-2.5">
        <Badge tone={status < 400 ? 'good' : 'bad'}>{status}</Badge>
        <span className="text-quiet">{formatMs(ms)}</span>
      </p>
      {text && <CodeBlock code={formatJson(text)} />}
    </div>
  )
}

function credentialOf({ credentials }: ReferenceOperation, project: Project): { key?: string; said: string } {
  const alone = credentials.filter(names => names.length === 1).map(([name]) => name)
  if (alone.includes('secretKey') && project.secret) return { key: project.secret, said: t.reference.withKey }
  if (alone.includes('publicKey')) return { key: project.public, said: t.reference.withPublicKey }
  return { said: credentials.length > 0 ? t.reference.asMember : '' }
}

function pathOf({ path, parameters }: ReferenceOperation, values: Values): string {
  const query = new URLSearchParams()
  for (const { path: name, place } of parameters)
    if (place === 'query' && values[name]) query.set(name, values[name])
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  return query.size > 0 ? `${filled}?${query}` : filled
}

function jsonOf(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    const faults = [{ field: bodyName, message: t.reference.notJson }]
    throw new ApiError(422, 'VALIDATION_ERROR', t.reference.notJson, { faults })
  }
}
