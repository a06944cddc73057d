// What both programs send: a newsletter as HTML and text, with two words of the reader's and five links, and a receipt of the same kind.
const sentence =
  'Some words that stand for the paragraphs of a newsletter, which are as long as people have patience for.'
const link = '<p><a href="https://example.com/articles/one">Read more of this</a></p>\n'
const part = `${`<p>${sentence}</p>\n`.repeat(20)}${link}`

/** `name` and `plan` are what stands in the language of a program's templates for the reader's. */
export const letterWith = (name: string, plan: string): string =>
  `<h1>Hello ${name}</h1><p>Your plan is ${plan}.</p>${part.repeat(5)}<p>Bye, ${name}</p>`

export const letterText = (name: string, plan: string): string =>
  letterWith(name, plan)
    .replace(/<a href="([^"]*)">([^<]*)<\/a>/g, '$2 ($1)')
    .replace(/<[^>]+>/g, '\n')

export const receiptWith = (name: string, order: string): string =>
  `<html><body><h1>Your order ${order}</h1>${`<p>Thank you, ${name}. It is on its way.</p>`.repeat(12)}</body></html>`

/** Between two questions how far an import is: ours gives way to requests, and these would be some. */
export const pollMs = 250

/** Before single messages are counted, of each program: ours compiles its code while it runs. */
export const warmUpSeconds = 10
/** The same for a campaign: so many of its messages leave before the others are counted. */
export const warmUpMessages = 10_000

/** The people of an import: the columns of each program differ, the number of members does not. */
export const personAt = (number: number) => ({
  email: `reader-${number}@example.com`,
  name: `Ada ${number}`,
  plan: number % 3 === 0 ? 'pro' : 'free',
  age: String(number % 90),
  city: `City ${number % 50}`,
})
