// Calls by a client that oapi-codegen made (`client.gen.go` beside this file, when the test runs it), as an application would write them.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/oapi-codegen/runtime/types"
)

// good ends the program unless the call was answered as it should be.
func good[T any](name string, parsed *T, body []byte, err error) *T {
	if err != nil || parsed == nil {
		fmt.Fprintln(os.Stderr, name, err, string(body))
		os.Exit(1)
	}
	fmt.Println(name)
	return parsed
}

func pointer[T any](value T) *T { return &value }

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	sign := func(_ context.Context, request *http.Request) error {
		request.Header.Set("authorization", "Bearer "+os.Getenv("WAXWING_KEY"))
		return nil
	}
	client, err := NewClientWithResponses(os.Getenv("WAXWING_URL"), WithRequestEditorFn(sign))
	check(err)
	sender := "hello@acme.example"

	made, err := client.PostTemplatesWithResponse(ctx, PostTemplatesJSONRequestBody{
		Name: "Receipt", Subject: "Order {{order}}", Body: "<p>Thanks, {{name}}</p>", From: types.Email(sender),
	})
	check(err)
	template := good("create template", made.JSON201, made.Body, err)

	from, to := &SendRequest_From{}, SendRequest_To{}
	check(from.FromSendRequestFrom0(sender))
	check(to.FromMailbox(Mailbox{Email: "ada@example.com", Name: pointer("Ada")}))
	first, err := client.PostV1SendWithResponse(ctx, nil, SendRequest{From: from, To: to, Subject: pointer("Hi"), Body: pointer("<p>Hi</p>")})
	check(err)
	sent := good("send", first.JSON200, first.Body, err)

	check(to.FromSendRequestTo0("grace@example.com"))
	second, err := client.PostV1SendWithResponse(ctx, &PostV1SendParams{IdempotencyKey: pointer("order-1042")}, SendRequest{
		To: to, Template: pointer(template.Id.String()), Data: &map[string]interface{}{"order": 1042, "name": "Grace"},
	})
	check(err)
	good("send template", second.JSON200, second.Body, err)

	many, err := client.PostV1SendBatchWithResponse(ctx, nil, SendBatchRequest{Messages: []interface{}{
		map[string]string{"from": sender, "to": "alan@example.com", "subject": "Hi", "body": "Hi"},
		map[string]string{"to": "nobody"},
	}})
	check(err)
	batch := good("send batch", many.JSON200, many.Body, err)
	for _, result := range batch.Data.Results {
		accepted, err := result.AsAcceptedMessage()
		if err == nil && bool(accepted.Success) {
			fmt.Println("accepted", accepted.Data.Emails[0].Contact.Email)
			continue
		}
		refused, err := result.AsRefusedMessage()
		check(err)
		fmt.Println("refused", refused.Error.Code)
	}

	added, err := client.PostContactsWithResponse(ctx, PostContactsJSONRequestBody{
		Email: "mary@example.com", Data: &map[string]interface{}{"plan": "pro"},
	})
	check(err)
	contact := good("create contact", added.JSON201, added.Body, err)

	one, err := client.GetContactsByIdWithResponse(ctx, contact.Id)
	check(err)
	good("get contact", one.JSON200, one.Body, err)

	contacts, err := client.GetContactsWithResponse(ctx, &GetContactsParams{Limit: pointer(10)})
	check(err)
	good("list contacts", contacts.JSON200, contacts.Body, err)

	tracked, err := client.PostEventsTrackWithResponse(ctx, nil, PostEventsTrackJSONRequestBody{
		ContactId: &contact.Id, Event: pointer("ordered"), Data: &map[string]interface{}{"sum": 3},
	})
	check(err)
	good("track event", tracked.JSON200, tracked.Body, err)

	email, err := client.GetEmailsByIdWithResponse(ctx, sent.Data.Emails[0].Email)
	check(err)
	good("get email", email.JSON200, email.Body, err)

	emails, err := client.GetEmailsWithResponse(ctx, &GetEmailsParams{To: pointer("example")})
	check(err)
	good("list emails", emails.JSON200, emails.Body, err)

	value := Filter_Value{}
	check(value.FromFilterValue0("pro"))
	condition := FilterTree{Logic: "AND", Groups: []FilterGroup{
		{Filters: []Filter{{Field: "data.plan", Operator: "equals", Value: &value}}},
	}}
	segment, err := client.PostSegmentsWithResponse(ctx, PostSegmentsJSONRequestBody{Name: "Paying", Condition: &condition})
	check(err)
	good("create segment", segment.JSON201, segment.Body, err)

	hooked, err := client.PostWebhookEndpointsWithResponse(ctx, WebhookEndpointRequest{
		Url: "https://hooks.example.com/mail", EventTypes: []string{"email.bounce"},
	})
	check(err)
	good("create endpoint", hooked.JSON201, hooked.Body, err)

	listed, err := client.GetWebhookEndpointsWithResponse(ctx)
	check(err)
	endpoints := *good("list endpoints", listed.JSON200, listed.Body, err)

	deliveries, err := client.GetWebhookEndpointsByIdDeliveriesWithResponse(ctx, endpoints[0].Id, nil)
	check(err)
	good("list deliveries", deliveries.JSON200, deliveries.Body, err)
}
