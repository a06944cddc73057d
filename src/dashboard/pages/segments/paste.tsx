// Adding people to a list by pasting their addresses, with a report of the result.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../texts'
import { readAddresses } from '../../ui/addresses'
import { Button } from '../../ui/button'
import { CopyButton } from '../../ui/copy'
import { ErrorNote } from '../../ui/error-note'
import { CheckField, TextArea } from '../../ui/field'
import { Card } from '../../ui/page'
import { Progress } from '../../ui/progress'
import { type Added, addMembers } from './add-members'

export function Paste({ segmentId }: { segmentId: string }) {
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [makesNew, setMakesNew] = useState(false)
  const [done, setDone] = useState<number>()
  const [report, setReport] = useState<Added>()
  const [error, setError] = useState<unknown>()
  const emails = readAddresses(text)
  const add = async (): Promise<void> => {
    setError(undefined)
    setReport(undefined)
    setDone(0)
    try {
      setReport(await addMembers(segmentId, emails, makesNew, setDone))
      setText('')
    } catch (problem) {
      setError(problem)
    } finally {
      setDone(undefined)
      void queries.invalidateQueries({ queryKey: ['segments'] })
    }
  }
  return (
    <Card title={t.segments.paste} description={t.segments.pasteHint}>
      <div className="space-y-3">
        <TextArea
          name="addresses"
          label={t.words.addresses}
          rows={3}
          value={text}
          onChange={event => {
            setText(event.target.value)
            setError(undefined)
          }}
        />
        <CheckField
          name="createMissing"
          label={t.segments.createMissing}
          hint={t.contacts.subscribesHint}
          checked={makesNew}
          onChange={event => setMakesNew(event.target.checked)}
        />
        {done !== undefined && (
          <Progress label={t.words.adding} percent={Math.round((100 * done) / emails.length)} />
        )}
        {error !== undefined && <ErrorNote error={error} takesFocus />}
        {report && <Report report={report} />}
        <Button disabled={emails.length === 0} busy={done !== undefined} onClick={add}>
          {t.segments.add(emails.length)}
        </Button>
      </div>
    </Card>
  )
}

function Report({ report: { added, created, notFound } }: { report: Added }) {
  return (
    <div role="status" className="space-y-2 rounded-lg bg-sunken px-3.5 py-3">
      <p className="font-medium">{t.segments.added(added, created)}</p>
      {notFound.length > 0 && (
        <>
          <p className="flex flex-wrap items-center gap-2">
            {t.segments.notFound(notFound.length)} <CopyButton text={notFound.join('\n')} />
          </p>
          <ul className="max-h-40 overflow-y-auto text-quiet">
            {notFound.slice(0, 200).map(email => (
              <li key={email} className="wrap-anywhere">
                {email}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
