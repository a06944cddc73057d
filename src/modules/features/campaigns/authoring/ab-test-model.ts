// The A/B test of a campaign in requests and answers.
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { nullableInstant } from '../../../../lib/answered'
import { oneOfWords } from '../../../../lib/described'
import { answeredEditor, givenEditor } from '../../../sending/templates'
import { abDeciders, abFallbacks, abMetrics } from '../schema'
import { type JudgedVariant, maxVariants, variantNames } from './ab-test'
import type { AbTestRow, StoredAbTest } from './queries/ab-tests'

const orNothing = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** The name of a variant; A is the campaign's own message. */
export const variantName = oneOfWords(variantNames)

const givenVariant = Type.Object(
  {
    subject: Type.Optional(orNothing(Type.String({ maxLength: 998 }))),
    fromName: Type.Optional(orNothing(Type.String({ maxLength: 100 }))),
    body: Type.Optional(orNothing(Type.String({ maxLength: 2_000_000 }))),
    editor: givenEditor,
  },
  { description: "What differs from the campaign's own message" },
)
export type GivenVariant = Static<typeof givenVariant>

const share = {
  minimum: 1,
  maximum: 100,
  description: 'Percentage of the recipients that the variants are tried on',
}
const hours = {
  minimum: 1,
  maximum: 168,
  description: 'Counted from when sending has been tried to the whole share',
}

const members = {
  share: Type.Integer(share),
  afterHours: Type.Integer(hours),
}

const given = Type.Object(
  {
    variants: Type.Array(givenVariant, {
      minItems: 1,
      maxItems: maxVariants - 1,
      description: "B to E: A is the campaign's own message",
    }),
    ...members,
    metric: Type.Optional(oneOfWords(abMetrics)),
    confidence: Type.Optional(Type.Number({ minimum: 50, maximum: 99.9 })),
    otherwise: Type.Optional(oneOfWords(abFallbacks)),
  },
  { description: 'Variants to try on a share of the recipients; the others get the best one' },
)
export type GivenAbTest = Static<typeof given>

export const givenAbTest = Type.Optional(orNothing(given))

const orNull = orNothing(Type.String())

export const answeredAbTest = Type.Optional(
  orNothing(
    Type.Object(
      {
        variants: Type.Array(
          Type.Object({ subject: orNull, fromName: orNull, body: orNull, editor: answeredEditor }),
        ),
        share: Type.Integer(),
        metric: oneOfWords(abMetrics),
        afterHours: Type.Integer(),
        confidence: Type.Number(),
        otherwise: oneOfWords(abFallbacks),
      },
      { title: 'CampaignAbTest', description: 'Lists leave it out' },
    ),
  ),
)

export function toAbTest({ variants, ...test }: StoredAbTest) {
  const { share, metric, afterHours, confidence, otherwise } = test
  const others = variants.slice(1)
  return {
    variants: others.map(({ subject, fromName, body, editor }) => ({ subject, fromName, body, editor })),
    ...{ share, metric, afterHours, confidence, otherwise },
  }
}

/** How far a test is. */
export const abStates = ['DRAFT', 'TESTING', 'UNDECIDED', 'DECIDED'] as const

export const abResultsAnswer = Type.Object(
  {
    state: oneOfWords(abStates),
    metric: oneOfWords(abMetrics),
    confidence: Type.Number({
      description: 'Probability of being best that a variant needs to win, in percent',
    }),
    judgedAt: nullableInstant({
      description: 'When the statistics were judged; they stay as they were then',
    }),
    dueAt: nullableInstant({
      description: 'When they will be judged; null until sending to the whole test group was attempted',
    }),
    winner: orNothing(variantName),
    decidedAt: nullableInstant(),
    decidedBy: Type.Union([oneOfWords(abDeciders), Type.Null()], {
      description:
        'TEST: by the statistics. FALLBACK: no winner, so the others get A. PERSON: chosen by a person',
    }),
    variants: Type.Array(
      Type.Object({
        variant: variantName,
        sentCount: Type.Integer(),
        openedCount: Type.Integer({ description: 'Messages that people opened; programs are left out' }),
        clickedCount: Type.Integer({ description: 'Messages in which people followed a link' }),
        unsubscribedCount: Type.Integer(),
        probability: Type.Number({ description: 'Probability of being the best by the metric, in percent' }),
      }),
    ),
  },
  { title: 'CampaignAbResults' },
)

export const winnerBody = Type.Object({ variant: variantName })

export interface AnsweredResults {
  campaign: { status: string }
  test: Omit<AbTestRow, 'variants'>
  variants: JudgedVariant[]
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

export function toAbResults({ campaign, test, variants }: AnsweredResults): Static<typeof abResultsAnswer> {
  return {
    state: stateOf(campaign.status, test),
    metric: test.metric,
    confidence: test.confidence,
    judgedAt: iso(test.judgedAt),
    dueAt: iso(test.dueAt),
    winner: test.winner === null ? null : variantNames[test.winner]!,
    decidedAt: iso(test.decidedAt),
    decidedBy: test.decidedBy,
    variants: variants.map(({ sent, opened, clicked, unsubscribed, probability }, number) => ({
      variant: variantNames[number]!,
      sentCount: sent,
      openedCount: opened,
      clickedCount: clicked,
      unsubscribedCount: unsubscribed,
      probability: Math.round(probability * 10_000) / 100,
    })),
  }
}

function stateOf(status: string, { winner, judgedAt }: AnsweredResults['test']): (typeof abStates)[number] {
  if (winner !== null) return 'DECIDED'
  if (judgedAt !== null || status === 'CANCELLED') return 'UNDECIDED'
  return status === 'DRAFT' || status === 'SCHEDULED' ? 'DRAFT' : 'TESTING'
}
