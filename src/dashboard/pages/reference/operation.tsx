// One operation: what it does, code for it with the keys of the project, trying it, and its requests and answers.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { useState } from 'react'
import type { ReferenceOperation } from '../../api/reference'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { Badge } from '../../ui/badge'
import { CodeBlock, CopyButton } from '../../ui/copy'
import { Loaded } from '../../ui/loading'
import { Card, Empty, Page } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { referenceQuery } from './data'
import { useFilling } from './filling'
import { MemberRow, Shape } from './members'
import { Method } from './method'
import { Trying } from './trying'
import { Words } from './words'

const route = getRouteApi('/inside/docs/$id')

export function ApiOperation() {
  const { id } = route.useParams()
  const query = useQuery(referenceQuery)
  return (
    <Loaded page query={query}>
      {({ sections }) => {
        const operation = sections.flatMap(section => section.operations).find(each => each.id === id)
        return operation ? <Shown key={id} operation={operation} /> : <Gone />
      }}
    </Loaded>
  )
}

function Gone() {
  return (
    <Empty icon={<Compass aria-hidden />} title={t.errors.notFound}>
      {t.errors.notFoundHint}
    </Empty>
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
