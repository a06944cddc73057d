// Where a layout takes in the content, and what the two are together: pure rules, as tables.
import { describe, expect, test } from 'bun:test'
import { checkSyntax } from '../../../src/liquid/syntax'
import { joinLayout } from '../../../src/modules/sending/templates/joined'
import { layoutFaults, roomFaults } from '../../../src/modules/sending/templates/layout'

describe('a place for the content', () => {
  const good = [
    '<p>{{ content }}</p>',
    '{{content}}',
    '{{- content -}}',
    '<html><head><style>a { color: red }</style></head><body><td title="a > b">{{ content }}</td></body></html>',
    '<!--[if mso]><table><tr><td><![endif]-->{{ content }}<!--[if mso]></td></tr></table><![endif]-->',
    '{% if vip %}<b>Thank you</b>{% endif %}<div>{{ content }}</div>{{ data.content }}',
    '{% for x in links %}{{ x }}{% endfor %}{{ content }}',
    '{% if "a" < "b" %}<p>{{ content }}</p>{% endif %}',
    '<p title="{{ "a" | append: ">" }}">{{ content }}</p>',
  ]
  test.each(good)('%s', layout => {
    expect(layoutFaults(layout)).toEqual([])
  })

  const bad: Array<[layout: string, message: string]> = [
    ['<p>Hello</p>', 'is missing'],
    ['<p>{{ contents }} {{ data.content }}</p>', 'is missing'],
    ['{% raw %}{{ content }}{% endraw %}', 'is missing'],
    ['<p>{{ content }}</p>{{ content }}', 'says {{ content }} 2 times'],
    ['<p>{{ content | upcase }}</p>', 'without a filter or a fallback'],
    ['<p>{{ content ?? "none" }}</p>', 'without a filter or a fallback'],
    ['<p title="{{ content }}">', 'inside the tag <p>'],
    ['<a href={{ content }}>', 'inside the tag <a>'],
    [`<a title='>' href="{{ content }}">`, 'inside the tag <a>'],
    ['<!-- {{ content }} -->', 'inside a comment'],
    ['<!-- > {{ content }}', 'inside a comment'],
    ['<style>{{ content }}</style>', 'inside <style>'],
    ['<title>{{ content }}', 'inside <title>'],
    ['<head>{{ content }}</head>', 'inside <head>'],
    ['{% for x in links %}{{ content }}{% endfor %}', 'inside {% for %}'],
    ['{% comment %}{{ content }}{% endcomment %}', 'inside {% comment %}'],
    ['{% capture all %}{% if a %}{{ content }}{% endif %}{% endcapture %}', 'inside {% capture %}'],
    [`{{ content }}${'{{ x }}'.repeat(1_000)}`, 'at most 1000 placeholders'],
  ]
  test.each(bad)('%.60s', (layout, message) => {
    expect(layoutFaults(layout)).toEqual([
      { field: 'body', message: expect.stringContaining(message), code: expect.any(String) },
    ])
  })

  test('a body leaves room for the layout', () => {
    expect(roomFaults('x'.repeat(1_799_000))).toEqual([])
    expect(roomFaults('x'.repeat(1_799_001))).toHaveLength(1)
    expect(roomFaults('{{ x }}'.repeat(19_001))).toHaveLength(1)
  })
})

const page =
  '<html><head><title>L</title></head><body class="x"><h1>Top</h1>{{ content }}<p>End</p></body></html>'
/** Without line breaks, which say nothing here. */
const joined = (layout: string, body: string): string => joinLayout(layout, body).replaceAll('\n', '')

describe('the joined mail', () => {
  const cases: Array<[name: string, layout: string, body: string, joined: string]> = [
    ['of two fragments', '<b>{{ content }}</b>', '<p>Hi {{ name }}</p>', '<b><p>Hi {{ name }}</p></b>'],
    [
      'keeps words like those of a replacement',
      '<b>{{ content }}</b>',
      "<p>$& $1 $'</p>",
      "<b><p>$& $1 $'</p></b>",
    ],
    [
      'has the inside of a document, and its styles in the head',
      page,
      '<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>T</title><style>p { margin: 0 }</style></head><body bgcolor="#fff"><p>Hi</p></body></html>',
      '<html><head><title>L</title><style>p { margin: 0 }</style></head><body class="x"><h1>Top</h1><p>Hi</p><p>End</p></body></html>',
    ],
    [
      'has the styles in front of the content where the layout has no head',
      '<b>{{ content }}</b>',
      '<html><head><style>p {}</style></head><body><p>Hi</p></body></html>',
      '<b><style>p {}</style><p>Hi</p></b>',
    ],
    [
      'keeps what is said to Outlook',
      page,
      '<html><head><!-- note --><!--[if mso]><style>td {}</style><![endif]--><!--[if !mso]><!--><link href="f.css"><!--<![endif]--></head><body>Hi</body></html>',
      page
        .replace(
          '</head>',
          '<!--[if mso]><style>td {}</style><![endif]--><!--[if !mso]><!--><link href="f.css"><!--<![endif]--></head>',
        )
        .replace('{{ content }}', 'Hi'),
    ],
    [
      'of a document without a body',
      page,
      '<!doctype html><p>Hi</p></html>',
      page.replace('{{ content }}', '<p>Hi</p>'),
    ],
    [
      'of a document with a head and no body',
      page,
      '<html><head><title>x</title></head><p>Hi</p></html>',
      page.replace('{{ content }}', '<p>Hi</p>'),
    ],
    [
      'takes words about a body for words',
      page,
      '<p title="</body>">a &lt;body&gt;</p><!-- <body> --><p>b</p>',
      page
        .replace('{{ content }}', '<!-- <body> --><p>b</p>')
        .replace('<!--', '<p title="</body>">a &lt;body&gt;</p><!--'),
    ],
    [
      'keeps Liquid that runs through a document in order',
      page,
      '{% assign a = "1" %}<html><head><style>p {}</style></head><body>{{ a }}</body></html>{% if a %}{% endif %}',
      page.replace('{{ content }}', '{% assign a = "1" %}<style>p {}</style>{{ a }}{% if a %}{% endif %}'),
    ],
    [
      'takes only what a document calls its content, and its preheader first',
      page,
      '<html><head><style>p {}</style></head><body><!-- preheader --><i>{{ pre }}</i><!-- /preheader --><table><tr><td><!-- content --><p>Hi</p><!-- /content --></td></tr></table></body></html>',
      page
        .replace('</head>', '<style>p {}</style></head>')
        .replace('<h1>', '<i>{{ pre }}</i><h1>')
        .replace('{{ content }}', '<p>Hi</p>'),
    ],
    [
      'takes the whole document where Liquid stands around its content',
      page,
      '<html><body>{% if a %}<!-- content --><p>Hi</p><!-- /content -->{% endif %}</body></html>',
      page.replace('{{ content }}', '{% if a %}<!-- content --><p>Hi</p><!-- /content -->{% endif %}'),
    ],
  ]
  test.each(cases)('%s', (_, layout, body, expected) => {
    expect(joined(layout, body)).toBe(expected)
  })

  const readable: Array<[layout: string, body: string]> = [
    ['{{{ content }}}', '% raw %} {% if a %}x{% endif %}'],
    ['{% if a %}{{ content }}{% endif %}', '{'],
    ['{{ content }}{% if a %}x{% endif %}', 'x{'],
    ['{{ content }}}', 'x{{ y }}{'],
  ]
  test.each(readable)('of %s and %s is as readable as both of them', (layout, body) => {
    expect([checkSyntax(layout, 'body'), checkSyntax(body, 'body')]).toEqual([undefined, undefined])
    expect(checkSyntax(joinLayout(layout, body), 'body')).toBeUndefined()
  })

  test('of long hostile texts is made in linear time', () => {
    const hostile = ['<', '<!--', '<a "', '<style>', '{{', '{%', '<body', '</head', "<p ='"]
    const started = performance.now()
    for (const piece of hostile) {
      const long = piece.repeat(Math.floor(190_000 / piece.length))
      layoutFaults(`${long}{{ content }}`)
      joinLayout(`${long}<p>{{ content }}</p>`, `<html>${long.repeat(8)}`)
    }
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})
