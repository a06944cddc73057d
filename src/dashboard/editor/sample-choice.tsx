// A choice of sample mails to begin with.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../app/session'
import { language } from '../texts'
import { classes } from '../ui/classes'
import { ErrorNote } from '../ui/error-note'
import { Thumbnail } from '../ui/mail/thumbnail'
import { brandQuery } from './data'
import { brandValues, fillBrand, inBrand } from './mail/brand'
import type { MailDocument } from './mail/document'
import { renderMail } from './mail/render'
import { type Sample, samplesQuery } from './samples'
import { emptyMarkdown, type Writing } from './writing'

interface Props {
  /** Only those for many readers at once. */
  forCampaign?: boolean
  onChoose: (writing: Writing) => Promise<void>
}

export function SampleChoice({ forCampaign = false, onChoose }: Props) {
  const { data: samples = [] } = useQuery(samplesQuery(language()))
  const offered = samples.filter(({ isTriggered }) => !(forCampaign && isTriggered))
  const project = useProject()
  const { data: brand } = useQuery(brandQuery)
  const queries = useQueryClient()
  const [state, setState] = useState<{ busy?: string; error?: unknown }>({})
  const choose = async (sample: Sample): Promise<void> => {
    setState({ busy: sample.id })
    try {
      const ownBrand = await queries.fetchQuery(brandQuery)
      await onChoose(writingOf(sample, inBrand(sample.document, ownBrand), project.language))
    } catch (error) {
      setState({ error })
    }
  }
  const shown = (document: MailDocument): string =>
    brand
      ? fillBrand(renderMail(inBrand(document, brand)), brandValues(brand, project.name))
      : renderMail(document)
  return (
    <>
      {state.error !== undefined && <ErrorNote error={state.error} takesFocus />}
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {offered.map(sample => (
          <li
            key={sample.id}
            className={classes(
              'relative min-w-0 overflow-hidden rounded-lg border border-line bg-sheet hover:border-edge',
              state.busy === sample.id && 'animate-pulse',
            )}
          >
            <Thumbnail html={shown(sample.document)} title={sample.name} />
            <div className="border-t border-line px-4 py-3">
              <button
                type="button"
                disabled={state.busy !== undefined}
                className="font-semibold after:absolute after:inset-0"
                onClick={() => choose(sample)}
              >
                {sample.name}
              </button>
              <p className="text-quiet">{sample.hint}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

/** What is written first, from a sample. */
export function writingOf({ name, subject, type }: Sample, blocks: MailDocument, spoken: string): Writing {
  const sender = { from: '', fromName: '', replyTo: '', layoutId: '' }
  return {
    name,
    subject,
    type,
    language: spoken,
    ...sender,
    format: 'blocks',
    blocks,
    markdown: emptyMarkdown,
    source: '',
  }
}
