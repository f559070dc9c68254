use crate::axis::PerSide;
use crate::body::typed::{Expr, ExprKind};
use crate::body::{resolve, samples};
use crate::element::Element;
use crate::rule::Rule;

/// The factors of the product and of the term, its scale and the value, of a body.
fn added(body: &str) -> Option<([usize; 4], Option<Expr>, Expr)> {
    let resolution = resolve(&samples::outputs(&[Element::F32], body));
    let multiplied = resolution.multiplied?;
    let (PerSide { a, b }, added) = (multiplied.first, multiplied.added?);
    let mut body = resolution.body.ok()?;
    let scale = body.added?.scale;
    Some(([a, b, added.a, added.b], scale, body.results.remove(0)))
}

#[test]
fn a_term_is_added_in_either_order_and_among_others() {
    for (body, scaled) in [
        ("matmul(x, w) + matmul(residual, x)", false),
        ("matmul(x, w) + alpha * matmul(residual, x)", true),
        ("alpha * matmul(residual, x) + matmul(x, w)", true),
        ("matmul(x, w) + bias + matmul(residual, x) * (2.0 * alpha)", true),
        ("matmul(x, w) - matmul(residual, x)", true),
        ("bias + alpha * matmul(residual, x) - bias + matmul(x, w)", true),
        ("{ let y = matmul(x, w); y + matmul(residual, x) }", false),
        ("{ let s = alpha / 2.0; let y = matmul(x, w); bias + y + s * matmul(residual, x) }", true),
        ("{ let d = matmul(residual, x); let d = alpha * d; relu(d + matmul(x, w)) }", true),
        (
            "{ let d = matmul(residual, x); let y = { let z = matmul(x, w); z + alpha * d }; y * y }",
            true,
        ),
    ] {
        let (factors, scale, _) = added(body).unwrap_or_else(|| panic!("{body}"));
        assert_eq!((factors, scale.is_some()), ([0, 1, 3, 0], scaled), "{body}");
    }
    let (_, _, value) = added("matmul(x, w) + alpha * matmul(residual, x)").unwrap();
    assert_eq!(value.kind, ExprKind::Accumulator(0));
}

#[test]
fn what_is_not_a_multiple_by_one_value_is_refused() {
    for body in [
        "matmul(x, w) * matmul(residual, x)",
        "matmul(x, w) + relu(matmul(residual, x))",
        "alpha * matmul(x, w) + alpha * matmul(residual, x)",
    ] {
        let broken = resolve(&samples::spec(body)).body.unwrap_err();
        assert_eq!(broken[0].rule, Rule::SharedFactor, "{body}");
    }
}

#[test]
fn what_a_term_is_multiplied_by_has_one_value() {
    for body in [
        "matmul(x, w) + bias * matmul(residual, x)",
        "2.0 + bias * matmul(residual, x) + matmul(x, w)",
        "{ let d = bias * matmul(residual, x); let y = matmul(x, w); relu(y + d) }",
    ] {
        let broken = resolve(&samples::spec(body)).body.unwrap_err();
        assert_eq!(broken.len(), 1, "{body}");
        assert_eq!(broken[0].rule, Rule::AddedTerm, "{body}");
        assert!(
            broken[0].message.contains("`bias` has one for each index"),
            "{}",
            broken[0].message
        );
    }
}

#[test]
fn a_term_is_added_to_one_product() {
    let outputs = [Element::F32; 2];
    let spec = |body| samples::outputs(&outputs, body);
    let of = |body| resolve(&spec(body)).body.unwrap_err().remove(0).rule;
    assert_eq!(of("(matmul(x, w) + matmul(residual, x), matmul(x, residual))"), Rule::AddedTerm);
}

#[test]
fn the_product_of_a_term_is_called_once() {
    let broken = |body| resolve(&samples::spec(body)).body.unwrap_err().remove(0);
    // Through a `let`, too: the value with the term and the one without it are the same sums.
    for body in [
        "(matmul(x, w) + matmul(residual, x)) * matmul(x, w)",
        "matmul(x, w) * (matmul(x, w) - matmul(residual, x))",
        "{ let y = matmul(x, w); y * (y + matmul(residual, x)) }",
        "{ let y = matmul(x, w); (y + matmul(residual, x)) * y }",
        "{ let d = matmul(residual, x); let y = matmul(x, w) + d; d * y }",
        "{ let y = matmul(x, w); let z = y; y * (z - matmul(residual, x)) }",
    ] {
        assert_eq!(broken(body).rule, Rule::AddedTerm, "{body}");
    }
    let twice = broken("matmul(x, w) * (matmul(x, w) + matmul(residual, x))");
    assert!(twice.message.ends_with("but the body has 2 of the same"), "{}", twice.message);
    assert!(added("{ let y = matmul(x, w) + matmul(residual, x); y * y }").is_some());
}

#[test]
fn a_let_that_is_not_read_any_more_is_left_out() {
    let bindings = |body| {
        let body = resolve(&samples::spec(body)).body.unwrap();
        body.bindings.iter().map(|(number, _)| body.locals[*number].clone()).collect::<Vec<_>>()
    };
    let once = "{ let s = alpha / 2.0; let y = matmul(x, w); y + s * matmul(residual, x) }";
    assert!(bindings(once).is_empty());
    let resolved = |body| resolve(&samples::spec(body)).body.unwrap();
    let direct = resolved("matmul(x, w) + alpha / 2.0 * matmul(residual, x)");
    assert_eq!((&resolved(once).added, &resolved(once).results), (&direct.added, &direct.results));
    let twice = "{ let s = alpha / 2.0; let y = matmul(x, w); s + (y + s * matmul(residual, x)) }";
    assert_eq!(bindings(twice), ["s"]);
}
