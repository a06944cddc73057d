// Trying an operation: its parameters and body as a form, and the answer. The call is real, and the page says so.
import { useState } from 'react'
import { ApiError } from '../../api/error'
import { type ReferenceOperation, type TrialAnswer, tryOut } from '../../api/reference'
import { type Project, useProject } from '../../app/session'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { Confirm } from '../../ui/confirm'
import { CodeBlock } from '../../ui/copy'
import { TextArea, TextField } from '../../ui/field'
import { Form, SubmitButton, type Values } from '../../ui/form'
import { formatJson, formatMs } from '../../ui/format'
import { Card } from '../../ui/page'
import { useFilling } from './filling'

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
        <SubmitButton look="plain">{t.reference.send}</SubmitButton>
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
