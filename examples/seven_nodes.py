"""The seven-node example of the ICD paper (its Figure 2), stage by stage, with PDS-trees as in Figure 1."""

import ancestral as an

MAG = an.MAG.parse("A <-> B, D <-> E, B --> E, D --> A, F --> B, H --> D, C --> F, C --> H")


def main() -> None:
    """Show at which stage the false edge between A and E is removed."""
    print("The true MAG:\n")
    print(MAG)
    for stage in an.stages(an.Oracle(MAG), possible_ancestors="all"):
        asked = stage.tests[stage.radius or 0]
        left = len(stage.pag.edges())
        print(f"\nRadius {stage.radius}: {asked} questions given {stage.radius} nodes, {left} edges left")
        if stage.radius == 1:
            print("\nWhere conditioning sets for A and E are looked for, from A and from E:\n")
            print(an.pds_tree(stage.pag, "A", "E", radius=3), an.pds_tree(stage.pag, "E", "A", radius=3), sep="\n\n")
        if (found := stage.separation("A", "E")) and found.radius == stage.radius:
            print(
                f"\nA and E are independent given {', '.join(sorted(found.given))}: the edge between them is removed."
            )
    print("\nThe PAG:\n")
    print(stage.pag)


if __name__ == "__main__":
    main()
